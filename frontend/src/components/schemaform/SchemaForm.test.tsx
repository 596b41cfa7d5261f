import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../utils/jsonparse";
import { writeJson } from "../../utils/jsonwrite";
import type { FieldError } from "./errors";
import { SchemaForm } from "./SchemaForm";


interface Shown {
  /** The value as compact JSON, as Go makes it of the text. */
  wire: () => string;
  text: () => string;
  valid: () => boolean;
  setErrors: (errors: FieldError[]) => void;
  user: ReturnType<typeof userEvent.setup>;
}

function show(schema: string, start = "", flat = false): Shown {
  let text = start;
  let valid = false;
  let setErrors: (errors: FieldError[]) => void = () => undefined;
  function Owner() {
    const [value, setValue] = useState(start);
    const [errors, set] = useState<FieldError[]>([]);
    setErrors = set;
    return (
      <SchemaForm
        schemaText={schema}
        valueText={value}
        errors={errors}
        idPrefix="t"
        flat={flat}
        onChange={(next, ok) => {
          text = next;
          valid = ok;
          setValue(next);
        }}
      />
    );
  }
  render(
    <MantineProvider env="test">
      <Owner />
    </MantineProvider>,
  );
  const wire = () => {
    const read = parseJson(text);
    return read.ok ? writeJson(read.value) : "not JSON";
  };
  return { wire, text: () => text, valid: () => valid, setErrors: (errors) => setErrors(errors), user: userEvent.setup() };
}

async function choose(form: Shown, field: string, act: RegExp) {
  await form.user.click(screen.getByRole("button", { name: `More for ${field}` }));
  await form.user.click(await screen.findByRole("menuitem", { name: act }));
}

describe("values on the wire", () => {
  it("field-22 a whole number, a no and a decimal are what they are", async () => {
    const form = show('{"properties":{"top":{"type":"integer"},"ok":{"type":"boolean"},"w":{"type":"number"}}}');
    expect(form.wire()).toBe("{}");
    await form.user.type(screen.getByLabelText("top"), "1");
    await form.user.click(screen.getByRole("radio", { name: "No" }));
    await form.user.type(screen.getByLabelText("w"), "2.50");
    expect(form.wire()).toBe('{"top":1,"ok":false,"w":2.5}');
    expect(screen.getByLabelText("w")).toHaveProperty("value", "2.50");
  });

  it("field-24 an integer beyond 2^53 is exact from keyboard to wire, and in the editor", async () => {
    const form = show('{"properties":{"id":{"type":"integer"}}}');
    await form.user.type(screen.getByLabelText("id"), "9007199254740993");
    expect(form.wire()).toBe('{"id":9007199254740993}');
    await form.user.click(screen.getByRole("tab", { name: "JSON" }));
    expect(screen.getByLabelText("Arguments as JSON")).toHaveProperty("value", '{\n  "id": 9007199254740993\n}');
  });

  it("field-10 the choice 0 can be picked and is the number", async () => {
    const form = show('{"type":"object","properties":{"gear":{"type":"integer","enum":[0,2,5]}}}');
    await form.user.click(screen.getByRole("radio", { name: "0" }));
    expect(form.wire()).toBe('{"gear":0}');
    await form.user.click(screen.getByRole("radio", { name: "5" }));
    expect(form.wire()).toBe('{"gear":5}');
    await form.user.click(screen.getByRole("radio", { name: "Not set" }));
    expect(form.wire()).toBe("{}");
  });

  it("field-11 600 choices are found by typing", async () => {
    const zones = Array.from({ length: 600 }, (_, i) => `"zone-${String(i + 1).padStart(4, "0")}"`).join(",");
    const form = show(`{"type":"object","properties":{"zone":{"type":"string","enum":[${zones}]}}}`);
    await form.user.type(screen.getByRole("combobox", { name: /zone/ }), "0587");
    await form.user.click(await screen.findByRole("option", { name: "zone-0587" }));
    expect(form.wire()).toBe('{"zone":"zone-0587"}');
  });

  it("field-26 required and untouched is the empty text; optional is left out, or empty by choice", async () => {
    const form = show('{"properties":{"filter":{"type":"string"},"note":{"type":"string"}},"required":["filter"]}');
    expect(form.wire()).toBe('{"filter":""}');
    await form.user.type(screen.getByLabelText(/filter/), "x");
    await form.user.clear(screen.getByLabelText(/filter/));
    expect(form.wire()).toBe('{"filter":""}');
    await choose(form, "note", /empty text/);
    expect(form.wire()).toBe('{"filter":"","note":""}');
    await choose(form, "note", /Leave out/);
    expect(form.wire()).toBe('{"filter":""}');
  });

  it("field-28 nothing typed demands nothing; null chosen is null", async () => {
    const form = show(
      '{"properties":{"a":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}],"default":null},"b":{"type":["string","null"],"default":null}}}',
    );
    expect(form.wire()).toBe("{}");
    expect(form.valid()).toBe(true);
    await choose(form, "a", /null/);
    await choose(form, "b", /null/);
    expect(form.wire()).toBe('{"a":null,"b":null}');
    await form.user.type(screen.getByLabelText("b"), "null");
    expect(form.wire()).toBe('{"a":null,"b":"null"}');
  });

  it("field-31 objects and lists go out as such, never as text in text", async () => {
    const form = show('{"properties":{"where":{"type":"object"},"ids":{"type":"array","items":{"type":"integer"}},"s":{"type":"string"}}}');
    await form.user.click(screen.getByRole("button", { name: "Set for where" }));
    await form.user.click(screen.getByRole("button", { name: "Add an entry" }));
    fireEvent.change(screen.getByLabelText("Key of entry"), { target: { value: "k" } });
    fireEvent.change(screen.getByLabelText("k"), { target: { value: "1" } });
    await form.user.click(screen.getByRole("button", { name: "Add for ids" }));
    await form.user.type(screen.getByLabelText("Item 1"), "1");
    await form.user.click(screen.getByRole("button", { name: "Add an item" }));
    await form.user.type(screen.getByLabelText("Item 2"), "2");
    fireEvent.change(screen.getByLabelText("s"), { target: { value: '{"k":1}' } });
    expect(form.wire()).toBe('{"where":{"k":1},"ids":[1,2],"s":"{\\"k\\":1}"}');
  });

  it("field-7 a root of variants draws the fields of the chosen one", async () => {
    const form = show(
      '{"type":"object","properties":{"tag":{"type":"string"}},"oneOf":[{"properties":{"mail":{"type":"string"}},"required":["mail"]},{"properties":{"phone":{"type":"string"}},"required":["phone"]}]}',
    );
    await form.user.type(screen.getByLabelText(/mail/), "a@b.example");
    await form.user.type(screen.getByLabelText("tag"), "t");
    expect(form.wire()).toBe('{"mail":"a@b.example","tag":"t"}');
    const picker = screen.getByRole("combobox", { name: /Kind of/ });
    await form.user.click(picker);
    await form.user.click(await screen.findByRole("option", { name: "With phone" }));
    await form.user.type(screen.getByLabelText(/phone/), "1");
    expect(form.wire()).toBe('{"phone":"1","tag":"t"}');
    await form.user.click(picker);
    await form.user.click(await screen.findByRole("option", { name: "With mail" }));
    expect(form.wire()).toBe('{"mail":"a@b.example","tag":"t"}');
  });

  it("ELIC-10 ELIC-11 field-131 field-132 titles and defaults are shown, values are sent", async () => {
    const form = show(
      '{"type":"object","properties":{"sz":{"type":"string","title":"Size","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}],"default":"l"},"n":{"type":"integer","default":3},"c":{"type":"string","enum":["r","g"],"enumNames":["Red"]}}}',
      "",
      true,
    );
    expect(screen.getByRole("radio", { name: /Large/ })).toHaveProperty("checked", true);
    expect(form.wire()).toBe('{"sz":"l","n":3}');
    await form.user.click(screen.getByRole("radio", { name: /Red/ }));
    expect(form.wire()).toBe('{"sz":"l","n":3,"c":"r"}');
    expect(screen.queryByRole("tab")).toBeNull();
  });

  it("field-138 a form without fields asks for nothing and holds {}", () => {
    const form = show('{"type":"object","properties":{}}', "", true);
    expect(form.wire()).toBe("{}");
    expect(form.valid()).toBe(true);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("several picks of a set of choices are a list", async () => {
    const form = show('{"type":"object","properties":{"days":{"type":"array","items":{"type":"string","enum":["mo","tu","we"]}}}}', "", true);
    await form.user.click(screen.getByRole("checkbox", { name: "tu" }));
    await form.user.click(screen.getByRole("checkbox", { name: "mo" }));
    expect(form.wire()).toBe('{"days":["tu","mo"]}');
  });
});

describe("lists, maps and nesting", () => {
  const stops =
    '{"type":"object","properties":{"stops":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"wait":{"type":"integer","default":5}},"required":["name"]},"minItems":1}}}';

  it("field-21 rows are added with their defaults, moved, removed, and survive the editor", async () => {
    const form = show(stops);
    await form.user.click(screen.getByRole("button", { name: "Add for stops" }));
    expect(form.wire()).toBe('{"stops":[{"name":"","wait":5}]}');
    await form.user.type(screen.getByLabelText(/name/), "one");
    await form.user.click(screen.getByRole("button", { name: "Add an item" }));
    await form.user.type(screen.getAllByLabelText(/name/)[1] ?? document.body, "two");
    await form.user.click(screen.getByRole("button", { name: "Move Item 2 up" }));
    expect(form.wire()).toBe('{"stops":[{"name":"two","wait":5},{"name":"one","wait":5}]}');
    const before = form.text();
    await form.user.click(screen.getByRole("tab", { name: "JSON" }));
    await form.user.click(screen.getByRole("tab", { name: "Form" }));
    expect(form.text()).toBe(before);
    await form.user.click(screen.getByRole("button", { name: "Remove Item 1" }));
    expect(form.wire()).toBe('{"stops":[{"name":"one","wait":5}]}');
  });

  it("field-16 entries of a map have typed values and can be renamed", async () => {
    const form = show('{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}}}}');
    await form.user.click(screen.getByRole("button", { name: "Set for labels" }));
    await form.user.click(screen.getByRole("button", { name: "Add an entry" }));
    fireEvent.change(screen.getByLabelText("Key of entry"), { target: { value: "a/b" } });
    await form.user.click(within(screen.getByRole("group", { name: "a/b" })).getByRole("button", { name: "Add an item" }));
    await form.user.type(screen.getByLabelText("Item 1"), "7");
    expect(form.wire()).toBe('{"labels":{"a/b":[7]}}');
  });

  it("field-16 a key that is taken is refused, and the form waits for another", async () => {
    const form = show('{"type":"object","additionalProperties":{"type":"string"}}', '{"a":"1","b":"2"}');
    fireEvent.change(screen.getByLabelText("Key of b"), { target: { value: "a" } });
    expect(form.wire()).toBe('{"a":"1","b":"2"}');
    await waitFor(() => expect(form.valid()).toBe(false));
    fireEvent.change(screen.getByLabelText("Key of b"), { target: { value: "c" } });
    expect(form.wire()).toBe('{"a":"1","c":"2"}');
    await waitFor(() => expect(form.valid()).toBe(true));
  });

  it("field-3 a recursive type opens level by level", async () => {
    const form = show(
      '{"type":"object","properties":{"root":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"label":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}',
    );
    await form.user.click(screen.getByRole("button", { name: "Set for root" }));
    await form.user.click(screen.getByRole("button", { name: "Add for kids" }));
    const inner = screen.getAllByLabelText("label");
    await form.user.type(inner[1] ?? document.body, "leaf");
    expect(form.wire()).toBe('{"root":{"kids":[{"label":"leaf"}]}}');
  });

  it("field-15 a tuple has a field for each place", async () => {
    const form = show('{"type":"object","properties":{"pair":{"type":"array","items":[{"type":"number"},{"type":"string"}],"additionalItems":false}},"required":["pair"]}');
    await form.user.type(screen.getByLabelText("Item 1"), "1.5");
    await form.user.type(screen.getByLabelText("Item 2"), "m");
    expect(form.wire()).toBe('{"pair":[1.5,"m"]}');
    expect(screen.queryByRole("button", { name: "Add an item" })).toBeNull();
  });

  it("an optional object left out comes back as it was", async () => {
    const form = show('{"properties":{"o":{"type":"object","properties":{"x":{"type":"string"}}}}}', '{"o":{"x":"1"}}');
    await choose(form, "o", /Leave out/);
    expect(form.wire()).toBe("{}");
    await form.user.click(screen.getByRole("button", { name: "Set for o" }));
    expect(form.wire()).toBe('{"o":{"x":"1"}}');
  });
});

describe("form and editor hold one value", () => {
  const schema = '{"properties":{"n":{"type":"integer"},"any":true},"required":["n"]}';

  it("a mistake in the JSON text stays, with its place, and the form says why it is not there", async () => {
    const form = show(schema, '{"n": 1}');
    await form.user.click(screen.getByRole("tab", { name: "JSON" }));
    fireEvent.change(screen.getByLabelText("Arguments as JSON"), { target: { value: '{"n": 1,\n "n": 2}' } });
    expect(screen.getByText(/Line 2, column 2: The key "n" stands here twice/)).toBeTruthy();
    expect(form.valid()).toBe(false);
    await form.user.click(screen.getByRole("tab", { name: "Form" }));
    expect(screen.getByText(/The form is not available/)).toBeTruthy();
    await form.user.click(screen.getByRole("button", { name: "Show the JSON text" }));
    expect(screen.getByLabelText("Arguments as JSON")).toHaveProperty("value", '{"n": 1,\n "n": 2}');
  });

  it("an unfinished number and unfinished JSON outlive the other tab", async () => {
    const form = show(schema);
    await form.user.type(screen.getByLabelText(/^n/), "12a");
    fireEvent.change(screen.getByLabelText("any"), { target: { value: '{"a":' } });
    await waitFor(() => expect(form.valid()).toBe(false));
    await form.user.click(screen.getByRole("tab", { name: "JSON" }));
    await form.user.click(screen.getByRole("tab", { name: "Form" }));
    expect(screen.getByLabelText(/^n/)).toHaveProperty("value", "12a");
    expect(screen.getByLabelText("any")).toHaveProperty("value", '{"a":');
    expect(form.valid()).toBe(false);
    fireEvent.change(screen.getByLabelText("any"), { target: { value: '{"a":1}' } });
    fireEvent.change(screen.getByLabelText(/^n/), { target: { value: "12" } });
    await waitFor(() => expect(form.valid()).toBe(true));
    expect(form.wire()).toBe('{"n":12,"any":{"a":1}}');
  });

  it("values that a schema does not know, and of other types, are kept and shown", () => {
    const odd = '{"n":{"deep":[1.0]},"stray":9007199254740993,"any":"x"}';
    const form = show(schema, odd);
    expect(form.wire()).toBe(odd);
    expect(screen.getByLabelText(/^n/)).toHaveProperty("value", '{\n  "deep": [\n    1.0\n  ]\n}');
    expect(screen.getByLabelText("stray")).toHaveProperty("value", "9007199254740993");
    fireEvent.change(screen.getByLabelText("any"), { target: { value: "" } });
    expect(form.wire()).toBe('{"n":{"deep":[1.0]},"stray":9007199254740993}');
  });

  it("field-20 a schema without fields opens the editor with a notice and sends what is typed", () => {
    const form = show('{"type":"object"}');
    expect(screen.getByText(/names no fields/)).toBeTruthy();
    fireEvent.change(screen.getByLabelText("Arguments as JSON"), { target: { value: '{"q":"fish","n":2}' } });
    expect(form.wire()).toBe('{"q":"fish","n":2}');
    expect(form.valid()).toBe(true);
  });

  it.each(["", "null"])("field-18 without a schema (%j) the editor says so and starts from {}", (schema) => {
    const form = show(schema);
    expect(form.wire()).toBe("{}");
    expect(screen.getByText(/nothing is known about the arguments/)).toBeTruthy();
  });

  it("a list or text is not taken for arguments", () => {
    const form = show('{"type":"object"}');
    fireEvent.change(screen.getByLabelText("Arguments as JSON"), { target: { value: "[1]" } });
    expect(form.valid()).toBe(false);
    expect(screen.getByText(/Arguments are an object/)).toBeTruthy();
  });

  it("pasted lines are kept, in a box that can show them", async () => {
    const form = show('{"properties":{"name":{"type":"string"}}}');
    await form.user.click(screen.getByLabelText("name"));
    await form.user.paste("row 1\nrow 2");
    expect(form.wire()).toBe('{"name":"row 1\\nrow 2"}');
    expect(screen.getByLabelText("name").tagName).toBe("TEXTAREA");
    expect(document.activeElement).toBe(screen.getByLabelText("name"));
  });

  it("a text that a box cannot hold is edited as JSON", () => {
    show('{"properties":{"name":{"type":"string"}}}', '{"name":"a\\r\\nb"}');
    expect(screen.getByLabelText("name")).toHaveProperty("value", '"a\\r\\nb"');
  });

  it("field-160 characters that cannot be seen are named", () => {
    show('{"properties":{"na\\u202eme":{"type":"string","description":"ok\\u200b"}}}', '{"na\\u202eme":"x\\u2066y"}');
    expect(document.body.textContent).toMatch(/202e/i);
    expect(document.body.textContent).toMatch(/200b/i);
    expect(document.body.textContent).toMatch(/2066/i);
  });
});

describe("errors", () => {
  it("field-134 stand at their fields in place of the help, and the first gets the focus", async () => {
    const form = show(
      '{"properties":{"a":{"type":"string","description":"About a"},"age":{"type":"integer","minimum":18,"maximum":99},"o":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}},"required":["age","o"]}',
    );
    expect(screen.getByText("18 to 99.")).toBeTruthy();
    form.setErrors([
      { pointer: "/o/x", message: "is too short" },
      { pointer: "/age", message: "is required" },
      { pointer: "", message: "about all" },
    ]);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^age/)));
    expect(screen.queryByText("18 to 99.")).toBeNull();
    expect(screen.getByLabelText(/^age/).getAttribute("aria-invalid")).toBe("true");
    const alert = screen.getByRole("alert");
    expect(alert.textContent).toMatch(/3 things/);
    await form.user.click(within(alert).getByRole("button", { name: /o › x/ }));
    expect(document.activeElement).toBe(screen.getByLabelText(/^x/));
  });

  it("open what was folded away", async () => {
    const form = show('{"properties":{"o":{"type":"object","properties":{"x":{"type":"string"}}}}}', '{"o":{"x":"1"}}');
    await form.user.click(screen.getByRole("button", { name: "Fold o" }));
    expect(screen.queryByLabelText("x")).toBeNull();
    form.setErrors([{ pointer: "/o/x", message: "is bad" }]);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("x")));
  });
});

describe("errors of mended fields", () => {
  it("go as soon as the value changes, the others stay", async () => {
    const form = show('{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}', '{"a":"1","b":"2"}');
    form.setErrors([
      { pointer: "/a", message: "a is bad" },
      { pointer: "/b", message: "b is bad" },
    ]);
    await screen.findByText("a is bad");
    await form.user.type(screen.getByLabelText("a"), "x");
    expect(screen.queryByText("a is bad")).toBeNull();
    expect(screen.getByText("b is bad")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("a"));
  });
});

describe("schemas without end", () => {
  it.each([
    '{"properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"$defs":{"A":{"anyOf":[{"$ref":"#/$defs/A"},{"type":"string"}]}}}',
    '{"properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"$defs":{"A":{"type":"object","anyOf":[{"$ref":"#/$defs/A"}]}}}',
    '{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/$defs/A"}}}',
  ])("field-3 end in a JSON editor: %s", (schema) => {
    const form = show(schema, '{"a":{}}');
    expect(form.wire()).toBe('{"a":{}}');
    expect(screen.getAllByText(/Edited as JSON/).length).toBe(1);
  });
});
