import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { guardWindow } from "./guards";

let release: () => void;

beforeEach(() => {
  release = guardWindow(window);
});

afterEach(() => {
  release();
  document.body.replaceChildren();
});

function add<Name extends keyof HTMLElementTagNameMap>(name: Name, part: Partial<HTMLElementTagNameMap[Name]> = {}): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), part);
  document.body.append(made);
  return made;
}

/** Whether the window let an event go on to what a browser does with it. */
function goesOn(target: Element, event: Event): boolean {
  return target.dispatchEvent(event);
}

function mouse(type: string): Event {
  return new MouseEvent(type, { bubbles: true, cancelable: true });
}

function drag(type: "dragover" | "drop", ...types: string[]): Event {
  return Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer: { types, dropEffect: "copy" } });
}

function key(name: string, held: KeyboardEventInit = {}): Event {
  return new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...held });
}

describe("the window stays on its page", () => {
  it("links go nowhere, clicked with any button and on anything within them", () => {
    const link = add("a", { href: "https://example.com/" });
    const inner = link.appendChild(document.createElement("b"));
    for (const target of [link, inner]) for (const type of ["click", "auxclick"]) expect(goesOn(target, mouse(type))).toBe(false);
    expect(goesOn(add("button", { type: "button" }), mouse("click"))).toBe(true);
  });

  it("forms are sent nowhere", () => {
    expect(goesOn(add("form", { action: "https://example.com/" }), new Event("submit", { bubbles: true, cancelable: true }))).toBe(false);
  });

  it("window.open opens nothing", () => {
    const open = Reflect.get(window, "open") as (address: string) => unknown;
    expect(open("https://example.com/")).toBeNull();
  });

  it("only text is dropped, and only into a field", () => {
    const field = add("textarea");
    const page = add("div");
    for (const type of ["dragover", "drop"] as const) {
      expect(goesOn(field, drag(type, "text/plain"))).toBe(true);
      expect(goesOn(page, drag(type, "text/plain"))).toBe(false);
      expect(goesOn(field, drag(type, "Files"))).toBe(false);
      expect(goesOn(field, drag(type, "text/plain", "text/uri-list"))).toBe(false);
    }
  });

  it("a menu of the web view comes up in fields of text alone", () => {
    expect(goesOn(add("input", { type: "text" }), mouse("contextmenu"))).toBe(true);
    expect(goesOn(add("input", { type: "checkbox" }), mouse("contextmenu"))).toBe(false);
    expect(goesOn(add("div"), mouse("contextmenu"))).toBe(false);
  });

  it("no key loads the page again or goes back", () => {
    const page = add("div");
    const field = add("input");
    for (const event of [key("F5"), key("r", { ctrlKey: true }), key("R", { ctrlKey: true, shiftKey: true }), key("r", { metaKey: true }), key("ArrowLeft", { altKey: true })]) expect(goesOn(page, event)).toBe(false);
    expect(goesOn(field, key("F5"))).toBe(false);
    expect(goesOn(field, key("ArrowLeft", { altKey: true }))).toBe(true);
    expect(goesOn(page, key("r"))).toBe(true);
  });
});
