// Runs in the top document of the test build, which may do everything: it proposes
// a call, then lets frames try to approve it, one after the other. What a frame
// knows is everything but the launch token.
"use strict";
(async () => {
  const token = document.querySelector('meta[name="countersign-token"]').content;
  const app = window.go.app;
  const check = window.go.main.Check;

  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  async function until(what, condition) {
    for (let tries = 0; tries < 300; tries++) {
      const got = await condition();
      if (got) return got;
      await wait(100);
    }
    throw new Error(what + " did not come about");
  }

  // The whole attack of a frame: Approve with every right argument, under each
  // token it could guess or read.
  const attack = (name, request, beacon) => `
    const post = (token) => window.webkit.messageHandlers.external.postMessage(
      "C" + JSON.stringify({ name: "app.Approvals.Decide", args: [token, ${JSON.stringify(request)}], callbackID: "frame" }));
    let stolen = "";
    try { stolen = parent.document.querySelector("meta[name=countersign-token]").content; } catch { stolen = "out of reach"; }
    for (const token of ["", "undefined", "${"0".repeat(64)}", stolen]) post(token);
    new Image().src = ${JSON.stringify(beacon)} + "/ran/${name}";`;

  const escapeAttribute = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

  function frame(attributes) {
    const holder = document.createElement("div");
    holder.style.cssText = "position:fixed;inset:auto 0 0 auto;width:200px;height:100px";
    holder.innerHTML = `<iframe ${attributes}></iframe>`;
    document.body.append(holder);
    return holder;
  }

  async function propose() {
    const tool = await until("the demo server's weather tool", async () => {
      for (const group of await app.Tools.List(token)) {
        const found = group.tools.find((t) => t.name.includes("weather"));
        if (found && group.server.state === "running") return found;
      }
      return null;
    });
    const result = await app.Calls.Propose(token, {
      serverId: tool.serverId, tool: tool.name, argsText: '{"city":"Lisbon"}', parentId: "",
    });
    if (!result.call) throw new Error("not proposed: " + JSON.stringify(result.errors));
    return until("the card", async () =>
      (await app.Approvals.List(token)).find((card) => card.call.id === result.call.id));
  }

  const state = async (id) => (await app.Calls.Detail(token, id)).call.state;

  try {
    const { beacon, payload } = await check.Addresses();
    const card = await propose();
    const id = card.call.id;
    const request = { callId: id, revision: card.revision, hash: card.hash, approve: true, reason: "" };
    await app.Approvals.Shown(token, id, card.revision);
    await wait(900); // from here on an answer counts

    const scripts = (name) => `<!doctype html><script>${attack(name, request, beacon)}</script>`;
    const frames = {
      srcdoc: () => `sandbox="allow-scripts" srcdoc="${escapeAttribute(scripts("srcdoc"))}"`,
      data: () => `src="data:text/html,${encodeURIComponent(scripts("data"))}"`,
      loopback: () => `src="${beacon}/frame/loopback"`,
      payload: () => `sandbox="allow-scripts" src="${payload}/payload"`,
    };
    for (const [name, attributes] of Object.entries(frames)) {
      await check.Serve(name, scripts(name));
      const before = await check.Refused();
      const holder = frame(attributes());
      await until(`the script of the ${name} frame`, () => check.Ran(name));
      await until(`four refusals of the ${name} frame`, async () => (await check.Refused()) - before >= 4);
      const now = await state(id);
      holder.remove();
      await check.Report(now === "awaiting_approval" || now === "proposed",
        `a scripted ${name} frame calls Approve and is refused`, `the call is now ${now}`);
    }

    // As the asset handler really answers, nothing of a payload runs, whatever it is.
    await check.Serve("sealed", scripts("sealed"));
    const before = await check.Refused();
    const holder = frame(`src="${payload}/sealed"`);
    await wait(2000);
    await check.Report(!(await check.Ran("sealed")) && (await check.Refused()) === before,
      "a payload under its own policy runs no script", "its script ran");
    holder.remove();

    // The control: with the token the very same request goes through.
    await app.Approvals.Decide(token, request);
    const end = await until("the end of the approved call", async () => {
      const now = await state(id);
      return ["proposed", "awaiting_approval", "approved", "sent"].includes(now) ? "" : now;
    });
    await check.Report(end === "succeeded", "the same request with the token is carried out", `the call is now ${end}`);
  } catch (error) {
    await check.Report(false, "the frames can be tried", String(error && error.stack ? error + "\n" + error.stack : error));
  }
  await check.Done();
})();
