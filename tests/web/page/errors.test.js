// What of that which goes wrong is told to whoever uses the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ConnectionLost, RequestError } from "../../../python/tablemen/web/page/api.js";
import { errorText } from "../../../python/tablemen/web/page/errors.js";

test("what the server refuses is told, and that it is lost; a mistake of the page is not", () => {
  assert.equal(errorText(new RequestError("there is no game called 'x'", 404, [])), "There is no game called 'x'");
  assert.equal(errorText(new ConnectionLost(null)), "The server cannot be reached.");
  assert.equal(errorText(new TypeError("board is undefined")), null);
  assert.equal(errorText("nonsense"), null);
});
