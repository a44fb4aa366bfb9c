import { hubApi, type HubApi } from '../../../generated/contract';
import { Serves } from '../../../src/contract/operation';

// @ts-expect-error The answer lacks the timestamp that the document requires.
@Serves(hubApi)
export class Served {
  getHubHealth(): Promise<{ status: 'ok'; version: string }> {
    return Promise.resolve({ status: 'ok', version: '1.0' });
  }
}

export class Declared implements HubApi {
  // @ts-expect-error The same, said by the interface.
  getHubHealth(): Promise<{ status: 'ok'; version: string }> {
    return Promise.resolve({ status: 'ok', version: '1.0' });
  }
}
