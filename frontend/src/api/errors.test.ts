import { describe, expect, it } from "vitest";
import { Fault, faultOf } from "./errors";

const JSON_TEXT = '{"code":"not_found","message":"There is no such call.","hint":"Look in the history.","id":"x7"}';

describe("faults", () => {
  it.each([
    ["an Error that holds JSON, as Wails gives it", new Error(JSON_TEXT), { code: "not_found", message: "There is no such call.", hint: "Look in the history.", id: "x7" }],
    ["text that holds JSON", JSON_TEXT, { code: "not_found", id: "x7" }],
    ["JSON without hint and id", '{"code":"invalid","message":"No."}', { code: "invalid", message: "No.", hint: "", id: "" }],
    ["JSON of another shape stays text", '{"a":1}', { code: "internal", message: '{"a":1}' }],
    ["JSON that is no object", "null", { code: "internal", message: "null" }],
    ["plain text", "wrong number of arguments", { code: "internal", message: "wrong number of arguments", hint: "", id: "" }],
    ["nothing at all", "", { code: "internal", message: "Something went wrong." }],
  ])("%s", (_name, thrown, want) => {
    expect(faultOf(thrown)).toMatchObject(want);
  });

  it("a Fault stays the same", () => {
    const fault = new Fault({ code: "token", message: "m", hint: "", id: "" });
    expect(faultOf(fault)).toBe(fault);
  });
});
