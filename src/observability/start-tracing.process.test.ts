import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const APPLICATION = join(__dirname, '../../dist/src/application.js');

describe('without an endpoint', () => {
  it("there are no spans and none of the code of OpenTelemetry's exporter is loaded, and with one there are", () => {
    const started = (endpoint: string | null): unknown => {
      const script = `
        const { startTracing } = require(${JSON.stringify(APPLICATION)});
        const { isOn } = startTracing(${JSON.stringify(endpoint)}, 'all');
        const isExporter = (file) => /@opentelemetry.(sdk-trace|exporter|otlp|resources)/.test(file);
        console.log(JSON.stringify({ isOn, isLoaded: Object.keys(require.cache).some(isExporter) }));
        process.exit(0);`;
      return JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
    };
    expect([started(null), started('http://127.0.0.1:9')]).toEqual([
      { isOn: false, isLoaded: false },
      { isOn: true, isLoaded: true },
    ]);
  });
});
