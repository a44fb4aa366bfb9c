import type OpenAI from 'openai';
import { ServiceWithUpstreams } from './service-with-upstreams';
import { until } from '../until';
import { World } from '../api/world';

/** The model that the upstream of a scene serves. */
export const MODEL = 'talker-large';
/** What the scene's service shows its upstream. */
export const UPSTREAM_KEY = 'sk-upstream-only';

const CHAT_BASE_NANO_USD = 2_000_000n;
const CHAT_TOKEN_NANO_USD = 10_000n;

interface AnyUpstream {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** What the tests of one file share, and what is made anew for each of them. */
export interface SdkScene<Upstream extends AnyUpstream> {
  readonly upstream: Upstream;
  readonly running: ServiceWithUpstreams;
  readonly world: World;
  /** Of the world's owner. */
  readonly client: OpenAI;
  /** What the test has cost its owner so far. */
  spentNanoUsd(): Promise<bigint>;
}

/**
 * Registers hooks that start an upstream and a service in front of it, and give every test accounts of its own. After
 * each test the books must add up, and no reservation may be left.
 */
export function sdkScene<Upstream extends AnyUpstream>(
  startUpstream: () => Promise<Upstream>,
  environment: Record<string, string> = {},
): SdkScene<Upstream> {
  const scene = {} as { -readonly [Name in keyof SdkScene<Upstream>]: SdkScene<Upstream>[Name] };
  let before = 0n;
  beforeAll(async () => {
    scene.upstream = await startUpstream();
    const { baseUrl } = scene.upstream;
    scene.running = await ServiceWithUpstreams.start(
      [{ name: 'main', base_url: baseUrl, api_key: UPSTREAM_KEY, models: [{ id: MODEL }] }],
      environment,
    );
  });
  beforeEach(async () => {
    scene.world = await World.create(scene.running.service);
    scene.client = scene.running.clientOf(scene.world.owner);
    before = await scene.world.balanceNanoUsd();
  });
  scene.spentNanoUsd = async () => before - (await scene.world.balanceNanoUsd());
  afterEach(async () => {
    // A stream that was left is settled after its client has gone.
    await until(
      'every call is settled',
      async () => !(await scene.running.faults()).join().includes('open:'),
    );
    expect(await scene.running.faults()).toEqual([]);
  });
  afterAll(async () => {
    await scene.running?.stop();
    await scene.upstream?.stop();
  });
  return scene;
}

/** The price of a chat or completion that used these tokens, input and output together. */
export function chatCostNanoUsd(tokens: number): bigint {
  return CHAT_BASE_NANO_USD + CHAT_TOKEN_NANO_USD * BigInt(tokens);
}
