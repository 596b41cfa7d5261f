// Stands in for the script that Wails' development server adds for browsers. Theirs
// makes a Trusted Types policy for an overlay, which the page's policy forbids, and
// so never connects. This one only connects, and the page stays under the very
// policy it has in the release.
"use strict";
(() => {
  const waiting = [];
  let socket;
  // Connects at the first message out, which Wails' runtime sends once it is there
  // itself: until then nobody could take a message in.
  function connect() {
    socket = new WebSocket(`ws://${location.host}/wails/ipc`);
    socket.onopen = () => {
      for (const message of waiting.splice(0)) socket.send(message);
    };
    socket.onmessage = ({ data }) => {
      if (data[0] === "n") window.wails.EventsNotify(data.slice(1));
      if (data[0] === "c") window.wails.Callback(data.slice(1));
    };
  }
  window.WailsInvoke = (message) => {
    if (socket === undefined) connect();
    if (socket.readyState === WebSocket.OPEN) socket.send(message);
    else waiting.push(message);
  };
})();
