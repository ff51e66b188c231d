// Vercel's ai 7 with @ai-sdk/anthropic 4: it checks every event against a schema and asks for 64,000 tokens by default.
import assert from "node:assert/strict";
import test from "node:test";

import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, streamText } from "ai";

import { baseUrl, engineIsIdle } from "./client.mjs";

const anthropic = createAnthropic({ baseURL: `${baseUrl}/v1`, apiKey: "any-key" });
const model = anthropic("claude-haiku-4-5");
const prompt = "Write one sentence about the sea.";

test("generateText", async () => {
  const result = await generateText({ model, prompt, maxOutputTokens: 6, maxRetries: 0 });
  assert.ok(result.text.length > 0);
  assert.ok(["length", "stop"].includes(result.finishReason));
  assert.ok(result.usage.inputTokens > 0 && result.usage.outputTokens <= 6);
});

test("streamText gives the text of generateText", async () => {
  const greedy = { model, prompt, maxOutputTokens: 6, temperature: 0, maxRetries: 0 };
  const stream = streamText(greedy);
  let text = "";
  for await (const delta of stream.textStream) text += delta;
  assert.equal(text, (await generateText(greedy)).text);
  assert.ok((await stream.usage).outputTokens > 0);
});

test("the default of 64,000 output tokens is capped and an abort ends the generation", async () => {
  const abort = new AbortController();
  const stream = streamText({ model, prompt, abortSignal: abort.signal, maxRetries: 0, onError: () => {} });
  for await (const part of stream.fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") abort.abort();
  }
  await engineIsIdle();
});

test("an error keeps status and message", async () => {
  const long = "word ".repeat(20_000);
  const ask = { model, prompt: long, maxOutputTokens: 4, maxRetries: 0 };
  const failure = await generateText(ask).catch((error) => error);
  assert.equal(failure.statusCode, 400);
  assert.match(failure.message, /\d/);
});
