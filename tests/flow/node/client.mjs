// What the Node suites share: where the server is, a question, and how to wait for the engine to be idle.
export const baseUrl = process.env.STINT_BASE_URL;
export const question = [{ role: "user", content: "Write one sentence about the sea." }];

export async function runningCount() {
  const text = await (await fetch(`${process.env.STINT_ADMIN_URL}/metrics`)).text();
  const samples = text.split("\n").filter((line) => line.startsWith("stint_engine_running"));
  return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

export async function engineIsIdle() {
  const deadline = Date.now() + 30_000;
  while ((await runningCount()) > 0) {
    if (Date.now() > deadline) throw new Error("the engine still runs 30 s after the client has left");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
