import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeBackend } from "../api/fake";
import { Kept, KeptProvider, usePersisted } from "./persisted";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stage<T>(key: string, initial: T, kept: Record<string, string> = {}) {
  const fake = fakeBackend({});
  const saveUI = vi.spyOn(fake.settings, "saveUI");
  const store = new Kept(fake, kept);
  const wrapper = ({ children }: { children: ReactNode }) => <KeptProvider kept={store}>{children}</KeptProvider>;
  const hook = renderHook(({ name }) => usePersisted(name, initial), { wrapper, initialProps: { name: key } });
  return { ...hook, saveUI };
}

describe("state that survives a restart", () => {
  it("starts from what was kept, and from the given value where that cannot be read", () => {
    expect(stage("k", 0, { k: "7" }).result.current[0]).toBe(7);
    expect(stage("k", 3, { k: "{broken" }).result.current[0]).toBe(3);
    expect(stage("k", 3).result.current[0]).toBe(3);
  });

  it("is saved at its first change, and then once it has come to rest", () => {
    const { result, saveUI } = stage("k", 0);
    for (const n of [1, 2, 3]) act(() => result.current[1](n));
    expect(result.current[0]).toBe(3);
    expect(saveUI.mock.calls).toEqual([["k", "1"]]);
    vi.runAllTimers();
    expect(saveUI.mock.calls).toEqual([["k", "1"], ["k", "3"]]);
  });

  it("builds on the newest value within one turn", () => {
    const { result } = stage("k", 0);
    act(() => {
      result.current[1]((now) => now + 1);
      result.current[1]((now) => now + 1);
    });
    expect(result.current[0]).toBe(2);
  });

  it("is saved at once when the window is about to go", () => {
    const { result, saveUI } = stage("k", "");
    for (const text of ["t", "typed"]) act(() => result.current[1](text));
    window.dispatchEvent(new Event("pagehide"));
    expect(saveUI.mock.calls).toEqual([["k", '"t"'], ["k", '"typed"']]);
    vi.runAllTimers();
    expect(saveUI).toHaveBeenCalledTimes(2);
  });

  it("follows another key, and does not save what did not change", () => {
    const { result, rerender, saveUI } = stage("a", "", { a: '"one"', b: '"two"' });
    act(() => result.current[1]("one"));
    vi.runAllTimers();
    expect(saveUI).not.toHaveBeenCalled();
    rerender({ name: "b" });
    expect(result.current[0]).toBe("two");
    act(() => result.current[1]("changed"));
    rerender({ name: "a" });
    expect(result.current[0]).toBe("one");
  });
});
