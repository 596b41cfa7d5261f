// How the development build starts: never on a person's own data.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import { program } from "./support/app.mjs";

test("a development build refuses to start without --data-dir", () => {
  const { status, stderr } = spawnSync(program, [], { encoding: "utf8", timeout: 20_000 });
  assert.equal(status, 2);
  assert.match(stderr, /--data-dir/);
});
