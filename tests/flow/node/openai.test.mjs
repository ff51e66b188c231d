// openai 6.49 and 7.59: the same promises for both.
import assert from "node:assert/strict";
import test from "node:test";

import OpenAI6 from "openai-6";
import OpenAI7 from "openai-7";

import { baseUrl, engineIsIdle, question } from "./client.mjs";

const model = "gpt-4o-mini";
const ask = { model, max_tokens: 6, messages: question };
const options = { baseURL: `${baseUrl}/v1`, apiKey: "any-key", maxRetries: 0, timeout: 120_000 };
const clients = [new OpenAI6(options), new OpenAI7(options)];

test("create", async () => {
  for (const client of clients) {
    const completion = await client.chat.completions.create(ask);
    assert.match(completion.id, /^chatcmpl-/);
    assert.ok(completion.choices[0].message.content.length > 0);
    assert.equal(completion.usage.total_tokens, completion.usage.prompt_tokens + completion.usage.completion_tokens);
    assert.match(completion._request_id, /^req_/);
  }
});

test("stream gives the text of create and its usage", async () => {
  for (const client of clients) {
    const stream = await client.chat.completions.create(
      { ...ask, temperature: 0, stream: true, stream_options: { include_usage: true } });
    let text = "";
    let usage = null;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta?.content ?? "";
      usage = chunk.usage ?? usage;
    }
    const whole = await client.chat.completions.create({ ...ask, temperature: 0 });
    assert.equal(text, whole.choices[0].message.content);
    assert.equal(usage.completion_tokens, whole.usage.completion_tokens);
  }
});

test("stream helper", async () => {
  for (const client of clients) {
    const stream = client.chat.completions.stream(ask);
    let text = "";
    stream.on("content", (delta) => (text += delta));
    const final = await stream.finalChatCompletion();
    assert.equal(final.choices[0].message.content, text);
  }
});

test("abort ends the generation", async () => {
  for (const client of clients) {
    const stream = await client.chat.completions.create({ ...ask, max_tokens: 2000, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta?.content) break;
    stream.controller.abort();
    await engineIsIdle();
  }
});

test("completions", async () => {
  for (const client of clients) {
    const completion = await client.completions.create({ model, prompt: "The sea is", max_tokens: 4 });
    assert.ok(completion.choices[0].text.length > 0);
  }
});

test("embeddings in both encodings", async () => {
  for (const client of clients) {
    const asked = await client.embeddings.create({ model, input: ["the sea", "the sea"] });
    const plain = await client.embeddings.create({ model, input: "the sea", encoding_format: "float" });
    assert.ok(asked.data[0].embedding.length > 0);
    assert.deepEqual(asked.data[0].embedding, asked.data[1].embedding);
    asked.data[0].embedding.forEach((value, index) =>
      assert.ok(Math.abs(value - plain.data[0].embedding[index]) < 1e-4));
  }
});

test("models", async () => {
  for (const client of clients) {
    const ids = [];
    for await (const entry of client.models.list()) ids.push(entry.id);
    assert.equal((await client.models.retrieve(ids[0])).id, ids[0]);
    await assert.rejects(client.models.retrieve("no-such-model"), { status: 404 });
  }
});

test("errors have class, status, code and request id", async () => {
  for (const [client, kind] of [[clients[0], OpenAI6.BadRequestError], [clients[1], OpenAI7.BadRequestError]]) {
    const failure = await client.chat.completions.create({ ...ask, messages: [] }).catch((error) => error);
    assert.ok(failure instanceof kind);
    assert.equal(failure.type, "invalid_request_error");
    assert.match(failure.requestID, /^req_/);
    const long = [{ role: "user", content: "word ".repeat(20_000) }];
    await assert.rejects(client.chat.completions.create({ ...ask, messages: long }),
                         { code: "context_length_exceeded" });
  }
});

test("a client timeout leaves the server well", async () => {
  for (const client of clients) {
    await assert.rejects(client.chat.completions.create({ ...ask, max_tokens: 1000 }, { timeout: 50 }), /timed out/i);
    await engineIsIdle();
    assert.ok((await client.chat.completions.create(ask)).choices[0].message.content.length > 0);
  }
});
