import { describe, expect, it } from "vitest";
import { isNumberText, isWhole, readTypedNumber, sameNumber } from "./jsonnumber";

describe("typed numbers", () => {
  it.each([
    ["1", "1"], ["2.50", "2.5"], ["1.0", "1"], [" 7 ", "7"], ["+5", "5"], ["007", "7"], [".5", "0.5"], ["5.", "5"],
    ["-0", "0"], ["0.000", "0"], ["-0.250", "-0.25"], ["1e3", "1e3"], ["1.5E-400", "1.5E-400"], ["1e+2", "1e+2"], [".5e3", "5e2"],
    ["123456789012345678901234567890.1234567890123456789", "123456789012345678901234567890.1234567890123456789"],
    ["0.10", "0.1"], ["100", "100"],
  ])("field-22 a number typed as %s goes out as %s", (typed, sent) => {
    const read = readTypedNumber(typed, false);
    expect(read.ok && read.value.text).toBe(sent);
    expect(isNumberText(sent)).toBe(true);
    expect(sameNumber(typed.trim(), sent)).toBe(true);
  });

  it.each([
    ["1", "1"], ["1.0", "1"], ["1e0", "1"], ["1e3", "1000"], ["12.50e1", "125"], ["-3", "-3"], ["9007199254740993", "9007199254740993"],
    ["604512398877665431000000000000001", "604512398877665431000000000000001"],
  ])("field-22 field-24 an integer typed as %s goes out as %s", (typed, sent) => {
    const read = readTypedNumber(typed, true);
    expect(read.ok && read.value.text).toBe(sent);
  });

  it.each(["", "-", "1a", "1,5", "1 000", "0x10", "Infinity", "NaN", "1e", ".", "--1", "1e1.5"])("%j is no number", (typed) => {
    expect(readTypedNumber(typed, false).ok).toBe(false);
  });

  it("a fraction or an endless exponent is no integer", () => {
    expect(readTypedNumber("1.5", true).ok).toBe(false);
    expect(readTypedNumber("1e999999999", true).ok).toBe(false);
    expect(isWhole("1e999999999")).toBe(true);
  });

  it("compares without losing a digit", () => {
    expect(sameNumber("1", "1.0")).toBe(true);
    expect(sameNumber("0", "-0.0")).toBe(true);
    expect(sameNumber("100e-2", "1")).toBe(true);
    expect(sameNumber("9007199254740993", "9007199254740992")).toBe(false);
    expect(sameNumber("1", "-1")).toBe(false);
    expect(sameNumber("x", "x")).toBe(false);
  });
});
