// Asks a service for its health from a process of its own, so that who makes the load does not also measure it.
// node health-questions.cjs <url of the service>; told anything, it answers with all times so far, in milliseconds.
const { Agent, get } = require('node:http');

const BETWEEN_QUESTIONS_MS = 25;
const PATHS = ['/health/live', '/api/hub/health'];
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const timesMs = [];
let failures = 0;

/** @returns {Promise<void>} when the answer is whole, or has failed */
function ask(path) {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    const fail = () => {
      failures += 1;
      resolve();
    };
    get(process.argv[2] + path, { agent }, (answer) => {
      answer.resume().on('error', fail);
      answer.on('end', () => {
        timesMs.push(performance.now() - startedMs);
        failures += answer.statusCode === 200 ? 0 : 1;
        resolve();
      });
    }).on('error', fail);
  });
}

async function probe() {
  for (let asked = 0; process.connected; asked += 1) {
    await ask(PATHS[asked % PATHS.length]);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_QUESTIONS_MS));
  }
  process.exit();
}

process.on('message', () => process.send({ timesMs, failures }));
void probe();
