import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { startBackgroundWork } from '../../src/application';
import { Metrics } from '../../src/observability/metrics';
import { TestService } from '../support/api/service';
import { until } from '../support/until';

const FOLDER = join(__dirname, '../../docs/observability');
const RULES = join(FOLDER, 'prometheus-rules.yml');
const OPERATING = readFileSync(join(__dirname, '../../docs/operating.md'), 'utf8');
const TOKEN = 'a token that only the scraper of this test has';

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

const rules = (parse(readFileSync(RULES, 'utf8')) as Rules).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync(join(FOLDER, 'grafana-dashboard.json'), 'utf8')) as Dashboard;
const promtool = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'promtool'))
  .find((file) => existsSync(file));

describe('what the dashboard and the alert rules ask for', () => {
  let service: TestService;
  /** The names of all series, as a scrape has them. */
  const names = new Set<string>();
  /** The labels of each series that the scrape has, by the series' name. */
  const series = new Map<string, Labels[]>();

  beforeAll(async () => {
    const upstream = { name: 'main', base_url: 'http://127.0.0.1:9/v1', models: [{ id: 'one' }] };
    service = await TestService.start({ METRICS_TOKEN: TOKEN, UPSTREAMS: JSON.stringify([upstream]) });
    service.app.get(Metrics).observeProcess();
    startBackgroundWork(service.app, 'all');
    await service.call('getLiveness');
    let body = '';
    // On a busy machine the first scrapes do not wait for what is asked of the queues.
    await until('the queues have been asked', async () => {
      body = await scrape();
      return body.includes('\nqueue_jobs{');
    });
    for (const [, name = '', labels = ''] of body.matchAll(/^([a-z]\w*)(?:\{(.*)\})? /gm)) {
      series.set(name, [...(series.get(name) ?? []), labelsIn(labels)]);
    }
    for (const [, name = '', type = ''] of body.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      suffixes.forEach((suffix) => names.add(name + suffix));
    }
  });
  afterAll(async () => service.stop());

  it.each(rules.map(({ alert, expr }) => [alert, expr]))('exists: %s', (_, expr) => {
    expectNames(expr);
  });

  it.each(dashboard.panels.map(({ title, targets }) => [title, targets] as const))(
    'exists: the panel %s',
    (_, targets) => targets.forEach(({ expr }) => expectNames(expr)),
  );

  it('is documented, each metric of our own and each alert', () => {
    const own = [...names].map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    const isOwn = (name: string) => !/^(process|nodejs)_/.test(name);
    const payments = readFileSync(join(__dirname, '../../docs/payments.md'), 'utf8');
    const missing = own.filter((name) => isOwn(name) && !(OPERATING + payments).includes(`\`${name}`));
    expect(missing).toEqual([]);
    expect(rules.map(({ alert }) => alert).filter((alert) => !OPERATING.includes(`\`${alert}\``))).toEqual(
      [],
    );
  });

  async function scrape(): Promise<string> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    return (await service.app.inject({ url: '/metrics', headers })).body;
  }

  function expectNames(expr: string): void {
    const asked = metricsIn(expr);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => !names.has(name))).toEqual([]);
    expect(selectorsIn(expr).filter((selector) => !isSelected(selector))).toEqual([]);
    const labels = [...asked.flatMap(labelsOf), ...ADDED];
    expect(groupsIn(expr).filter((label) => !labels.includes(label))).toEqual([]);
  }

  /** Of a metric that counts nothing yet, as closed sockets, those that are documented. */
  function labelsOf(name: string): string[] {
    const documented = new RegExp(`\`${name}\\{([\\w,]+)\\}\``).exec(OPERATING)?.[1]?.split(',') ?? [];
    return series.get(name)?.flatMap(Object.keys) ?? documented;
  }

  /** Whether some series has what the selector asks for. Statuses come with the first answer that has one. */
  function isSelected({ name, matchers }: Selector): boolean {
    return (series.get(name) ?? []).some((labels) =>
      matchers.every(([label, operator, value]) => {
        const own = labels[label];
        return own !== undefined && (label === 'status' || matches(own, operator, value));
      }),
    );
  }
});

(promtool ? it : it.skip)('promtool finds no fault in the alert rules', () => {
  const said = execFileSync(promtool ?? '', ['check', 'rules', RULES], { encoding: 'utf8' });
  expect(said).toContain(`${rules.length} rules found`);
});

(promtool ? it : it.skip)('promtool sees the alerts fire when they should, over several processes', () => {
  const said = execFileSync(promtool ?? '', ['test', 'rules', join(__dirname, 'prometheus-rules.test.yml')], {
    encoding: 'utf8',
  });
  expect(said).toContain('SUCCESS');
});

type Labels = Record<string, string>;

interface Selector {
  name: string;
  matchers: [label: string, operator: string, value: string][];
}

/** What Prometheus adds to each series, and what an expression makes itself. */
const ADDED = ['instance', 'class'];

function labelsIn(text: string): Labels {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [label, value]),
  );
}

function selectorsIn(expr: string): Selector[] {
  return [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, name = '', inner = '']) => ({
    name,
    matchers: [...inner.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']) => [label, operator, value],
    ),
  }));
}

/** The labels that an expression groups by. */
function groupsIn(expr: string): string[] {
  return [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/\s*,\s*/));
}

function matches(own: string, operator: string, value: string): boolean {
  const isEqual = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(own) : own === value;
  return operator.startsWith('!') ? !isEqual : isEqual;
}

/** The names of metrics in an expression: words that are no functions, labels, texts or units. */
function metricsIn(expr: string): string[] {
  const plain = expr
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(by|without)\s*\([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '');
  return [...plain.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)\b(?!\s*\()/g)].map(([, name = '']) => name);
}
