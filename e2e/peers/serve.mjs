#!/usr/bin/env node
// The peer behind WebSocket and Streamable HTTP, on 127.0.0.1, path /acp.
// Prints {"http","ws"} or, with --h2c (HTTP/2 without TLS only), {"http"}.
// Sessions are shared by all connections and live as long as the process.
import http from "node:http";
import http2 from "node:http2";
import { WebSocketServer } from "ws";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "@agentclientprotocol/sdk/experimental/node";
import { makeApp } from "./app.mjs";
import { Sessions } from "./sessions.mjs";

const h2c = process.argv.includes("--h2c");
const sessions = new Sessions();
const acp = new AcpServer({ createAgent: () => makeApp(sessions) });
const handle = createNodeHttpHandler(acp);

/** The adapter copies all headers, and a Headers object refuses HTTP/2's pseudo-headers. */
function withoutPseudoHeaders(request) {
  const named = Object.entries(request.headers).filter(([name]) => !name.startsWith(":"));
  Object.defineProperty(request, "headers", { value: { host: request.authority, ...Object.fromEntries(named) } });
}

function answer(request, response) {
  if (new URL(request.url, "http://peer").pathname !== "/acp") {
    response.writeHead(404, { "content-type": "text/html" });
    response.end("<h1>nothing here</h1>");
    return;
  }
  if (request.httpVersionMajor === 2) withoutPseudoHeaders(request);
  handle(request, response);
}

const server = h2c ? http2.createServer(answer) : http.createServer(answer);
if (!h2c) server.on("upgrade", createNodeWebSocketUpgradeHandler(acp, new WebSocketServer({ noServer: true })));
server.listen(0, "127.0.0.1", () => {
  const at = `127.0.0.1:${server.address().port}/acp`;
  process.stdout.write(JSON.stringify({ http: `http://${at}`, ...(h2c ? {} : { ws: `ws://${at}` }) }) + "\n");
});
process.stdin.resume().on("end", () => process.exit(0)); // whoever started us is gone
