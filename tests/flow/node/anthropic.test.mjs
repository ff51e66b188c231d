// @anthropic-ai/sdk 0.120 (x-api-key, 2023-06-01) and 1.14 (Bearer, 2026-10-21): the same promises for both.
import assert from "node:assert/strict";
import test from "node:test";

import Anthropic0 from "anthropic-sdk-0";
import Anthropic1 from "anthropic-sdk-1";

import { baseUrl, engineIsIdle, question } from "./client.mjs";

const model = "claude-haiku-4-5";
const ask = { model, max_tokens: 6, messages: question };
const options = { baseURL: baseUrl, apiKey: "any-key", maxRetries: 0, timeout: 120_000 };
const clients = [new Anthropic0(options), new Anthropic1(options)];

test("create", async () => {
  for (const client of clients) {
    const message = await client.messages.create(ask);
    assert.match(message.id, /^msg_/);
    assert.equal(message.model, model);
    assert.ok(message.content[0].text.length > 0);
    assert.ok(message.usage.input_tokens > 0 && message.usage.output_tokens <= 6);
    assert.match(message._request_id, /^req_/);
  }
});

test("stream helper gives the text of create", async () => {
  const texts = [];
  for (const client of clients) {
    const stream = client.messages.stream({ ...ask, temperature: 0 });
    let text = "";
    stream.on("text", (delta) => (text += delta));
    const final = await stream.finalMessage();
    assert.equal(final.content[0].text, text);
    assert.ok(["max_tokens", "end_turn"].includes(final.stop_reason));
    texts.push(text, (await client.messages.create({ ...ask, temperature: 0 })).content[0].text);
  }
  assert.equal(new Set(texts).size, 1);
});

test("raw stream ends with message_stop", async () => {
  for (const client of clients) {
    const kinds = [];
    for await (const event of await client.messages.create({ ...ask, stream: true })) kinds.push(event.type);
    assert.equal(kinds[0], "message_start");
    assert.deepEqual(kinds.slice(-3), ["content_block_stop", "message_delta", "message_stop"]);
  }
});

test("abort ends the generation", async () => {
  for (const client of clients) {
    const stream = client.messages.stream({ ...ask, max_tokens: 2000 });
    await assert.rejects(async () => {
      for await (const event of stream) if (event.type === "content_block_delta") stream.abort();
    }, /abort/i);
    await engineIsIdle();
  }
});

test("count_tokens is what create bills", async () => {
  for (const client of clients) {
    const counted = await client.messages.countTokens({ model, messages: question });
    const message = await client.messages.create({ ...ask, max_tokens: 1 });
    assert.equal(counted.input_tokens, message.usage.input_tokens);
  }
});

test("models", async () => {
  for (const client of clients) {
    const ids = [];
    for await (const entry of client.models.list()) ids.push(entry.id);
    assert.ok(ids.length > 0);
    assert.equal((await client.models.retrieve(ids[0])).id, ids[0]);
    await assert.rejects(client.models.retrieve("no-such-model"), { status: 404 });
  }
});

test("errors have class, status and request id", async () => {
  for (const [client, kind] of [[clients[0], Anthropic0.BadRequestError], [clients[1], Anthropic1.BadRequestError]]) {
    const failure = await client.messages.create({ ...ask, messages: [] }).catch((error) => error);
    assert.ok(failure instanceof kind);
    assert.match(failure.message, /messages/);
    assert.match(failure.requestID, /^req_/);
    await assert.rejects(client.post("/_stainless_unknown_path"), { status: 404 });
  }
});

test("a client timeout leaves the server well", async () => {
  for (const client of clients) {
    await assert.rejects(client.messages.create({ ...ask, max_tokens: 1000 }, { timeout: 50 }), /timed out/i);
    await engineIsIdle();
    assert.ok((await client.messages.create(ask)).content[0].text.length > 0);
  }
});

test("a tool runner gets the whole history through", async () => {
  const weather = { name: "weather", description: "Weather", input_schema: { type: "object", properties: {} },
                    run: () => "sunny", parse: (input) => input };
  const runner = clients[1].beta.messages.toolRunner({ ...ask, tools: [weather], max_iterations: 2 });
  const final = await runner.runUntilDone();
  assert.ok(final.content.length > 0);
});
