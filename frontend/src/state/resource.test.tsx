import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { type Fake, fakeBackend } from "../api/fake";
import { Fault } from "../api/errors";
import type { Change, Topic } from "../api/types";
import { BackendProvider } from "./backend";
import { useResource } from "./resource";

/** A fetch that is answered by hand, so that the test decides what comes when. */
class Fetches {
  readonly waiting: { resolve: (text: string) => void; reject: (thrown: unknown) => void }[] = [];
  readonly keys: string[] = [];

  ask(key: string): Promise<string> {
    this.keys.push(key);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  /** Answers the oldest fetch that waits. */
  async answer(text: string): Promise<void> {
    await act(async () => {
      this.waiting.shift()?.resolve(text);
      await Promise.resolve();
    });
  }

  async fail(message: string): Promise<void> {
    await act(async () => {
      this.waiting.shift()?.reject(new Fault({ code: "internal", message, hint: "", id: "" }));
      await Promise.resolve();
    });
  }
}

function stage(only?: (change: Change) => boolean) {
  const fake: Fake = fakeBackend({});
  const fetches = new Fetches();
  const wrapper = ({ children }: { children: ReactNode }) => <BackendProvider backend={fake}>{children}</BackendProvider>;
  const hook = renderHook(({ key }) => useResource(key, () => fetches.ask(key), ["calls", "progress"], only), { wrapper, initialProps: { key: "a" } });
  const tell = (topic: Topic, id = "") => act(() => fake.tell(topic, id));
  return { ...hook, fetches, tell };
}

describe("a resource", () => {
  it("is loading, then data; a failed try keeps what was there", async () => {
    const { result, fetches } = stage();
    expect(result.current).toMatchObject({ data: undefined, loading: true, error: undefined });
    await fetches.answer("one");
    expect(result.current).toMatchObject({ data: "one", loading: false });
    act(() => result.current.refresh());
    await fetches.fail("The program did not answer.");
    expect(result.current).toMatchObject({ data: "one", error: { message: "The program did not answer." } });
    act(() => result.current.refresh());
    await fetches.answer("two");
    expect(result.current).toMatchObject({ data: "two", error: undefined });
  });

  it("fetches once at a time and queues one more, however much changes meanwhile", async () => {
    const { result, fetches, tell } = stage();
    for (let i = 0; i < 5; i++) tell("progress");
    expect(fetches.keys).toHaveLength(1);
    await fetches.answer("one");
    expect(fetches.keys).toHaveLength(2);
    await fetches.answer("two");
    expect(fetches.keys).toHaveLength(2);
    expect(result.current.data).toBe("two");
  });

  it("follows its own topics, and of those only what it was asked for", async () => {
    const { fetches, tell } = stage((change) => change.id === "mine");
    await fetches.answer("one");
    tell("servers", "mine");
    tell("calls", "other");
    expect(fetches.keys).toHaveLength(1);
    tell("calls", "mine");
    expect(fetches.keys).toHaveLength(2);
  });

  it("drops the answer for what was shown before", async () => {
    const { result, rerender, fetches } = stage();
    rerender({ key: "b" });
    expect(fetches.keys).toEqual(["a", "b"]);
    await fetches.answer("of a, late");
    expect(result.current.data).toBeUndefined();
    await fetches.answer("of b");
    expect(result.current.data).toBe("of b");
  });

  it("leaves nothing behind", async () => {
    const { unmount, fetches, tell } = stage();
    await fetches.answer("one");
    unmount();
    tell("calls");
    expect(fetches.keys).toHaveLength(1);
  });
});
