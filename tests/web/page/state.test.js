// Tests of the addresses of positions. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BadLink, formatAddress, parseOrientation, parseSpec } from "../../../python/tablemen/web/page/analyse/state.js";

const subject = { variant: "kalah", houses: 4, seeds: 3, position: "<4,0,0,3,3,3,3,3,3,3,3> south", moves: ["2", "swap"] };

test("an address round trip keeps the position", () => {
  const address = formatAddress(subject);
  assert.ok(address.startsWith("/analyse?"));
  assert.deepEqual(parseSpec(address.slice(address.indexOf("?"))), subject);
});

test("default values are left out", () => {
  const address = formatAddress({ variant: "russian", houses: null, seeds: null, position: null, moves: [] });
  assert.equal(address, "/analyse?variant=russian");
});

test("moves are separated by plus signs", () => {
  const address = formatAddress({ variant: "international", moves: ["32-28", "19-23", "28x19"] });
  assert.equal(address, "/analyse?variant=international&moves=32-28+19-23+28x19");
});

test("an address without a position is null", () => {
  assert.equal(parseSpec(""), null);
  assert.equal(parseSpec("?other=1"), null);
});

test("an invalid address throws BadLink", () => {
  const isBadLink = (fact) => (error) => error instanceof BadLink && error.message.includes(fact);
  assert.throws(() => parseSpec("?moves=32-28"), isBadLink("variant"));
  assert.throws(() => parseSpec("?variant=kalah&houses=many"), isBadLink("houses=many"));
});

test("an address can contain the side at the bottom", () => {
  const address = formatAddress({ variant: "russian" }, "black");
  assert.equal(address, "/analyse?variant=russian&orientation=black");
  assert.equal(parseOrientation(address.slice(address.indexOf("?"))), "black");
  assert.equal(parseOrientation("?variant=russian"), "");
});
