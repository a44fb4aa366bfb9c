// Asks a service for its health, or what else it is told, from a process of its own, so that who makes the load does not
// also measure it. node health-questions.cjs <url of the service> [questions as JSON, see Question of health-probe.ts]; told
// anything, it answers with all times so far, in milliseconds.
const { Agent, request } = require('node:http');

const BETWEEN_QUESTIONS_MS = 25;
const HEALTH = [{ path: '/health/live' }, { path: '/api/hub/health' }];
const questions = process.argv[3] ? JSON.parse(process.argv[3]) : HEALTH;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const timesMs = [];
let failures = 0;

/** @returns {Promise<void>} when the answer is whole, or has failed */
function ask({ path, method = 'GET', headers = {}, body = '' }) {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    const fail = () => {
      failures += 1;
      resolve();
    };
    const sent = request(process.argv[2] + path, { agent, method, headers }, (answer) => {
      answer.resume().on('error', fail);
      answer.on('end', () => {
        timesMs.push(performance.now() - startedMs);
        failures += answer.statusCode === 200 ? 0 : 1;
        resolve();
      });
    });
    sent.on('error', fail).end(body);
  });
}

async function probe() {
  for (let asked = 0; process.connected; asked += 1) {
    await ask(questions[asked % questions.length]);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_QUESTIONS_MS));
  }
  process.exit();
}

process.on('message', () => process.send({ timesMs, failures }));
void probe();
