import type { TestService } from '../support/api/service';
import { LedStreams } from '../support/upstream/led-streams';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { itCapsStreams } from '../support/upstream/shared-streams';

describe('streams of one key on two replicas at once', () => {
  let service: ServiceWithUpstreams;
  let replica: TestService;
  let led: LedStreams;
  afterAll(async () => {
    await replica.app.close();
    await service.stop();
    await led.stop();
  });

  itCapsStreams(async () => {
    led = await LedStreams.start();
    service = await ServiceWithUpstreams.start(led.entries);
    replica = await service.service.startReplica();
    await replica.app.listen(0, '127.0.0.1');
    return { service: service.service, led, urls: [service.url, await replica.app.getUrl()] };
  });
});
