// The agent that the switches ask for: one version, or a router over both.
import { versions } from "./switches.mjs";
import { makeV1 } from "./v1.mjs";
import { makeV2 } from "./v2.mjs";
import { agentProtocolRouter } from "@agentclientprotocol/sdk/experimental/v2";

export function makeApp(sessions) {
  if (!versions.has("2")) return makeV1(sessions);
  if (!versions.has("1")) return makeV2(sessions);
  return agentProtocolRouter().withV1(makeV1(sessions)).withV2(makeV2(sessions));
}
