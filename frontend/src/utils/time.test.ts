import { describe, expect, it } from "vitest";
import { ago, clock, exactly, lasting, span } from "./time";

const NOW = new Date("2026-03-03T12:00:00Z");

describe("times in words", () => {
  it.each([
    ["2026-03-03T12:00:05Z", "just now"],
    ["2026-03-03T11:59:01Z", "just now"],
    ["2026-03-03T11:59:00Z", "1 minute ago"],
    ["2026-03-03T09:30:00Z", "2 hours ago"],
    ["2026-03-02T11:59:00Z", "1 day ago"],
    ["2026-01-03T12:00:00Z", "1 month ago"],
    ["2024-01-03T12:00:00Z", "2 years ago"],
    ["", ""],
    ["no time", ""],
  ])("%s is %s", (instant, words) => {
    expect(ago(instant, NOW)).toBe(words);
  });

  it("has the exact instant, to the millisecond where events lie close together", () => {
    expect(exactly("2026-03-03T12:00:00Z")).toMatch(/2026/);
    expect(clock("2026-03-03T12:00:00.125Z")).toMatch(/^\d\d:\d\d:\d\d\.125$/);
    expect([exactly(""), clock("")]).toEqual(["", ""]);
  });

  it.each([
    [-1, ""],
    [0, "0 ms"],
    [999.6, "1.0 s"],
    [9_940, "9.9 s"],
    [9_960, "10 s"],
    [83_000, "1 min 23 s"],
    [3_600_000, "1 h"],
  ])("%d ms last %s", (ms, words) => {
    expect(lasting(ms)).toBe(words);
  });

  it.each([
    [0, "0 s"],
    [60, "1 min"],
    [3_661, "1 h 1 min"],
    [86_400, "1 d"],
    [90_061, "1 d 1 h"],
  ])("%d s are %s", (seconds, words) => {
    expect(span(seconds)).toBe(words);
  });
});
