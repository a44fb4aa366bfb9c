import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { apis } from '../../generated/contract';
import { SERVED_TAG } from './serves.decorator';

/** Refuses to start when a tag of the document is served twice or not at all. */
@Injectable()
export class ServedOperations implements OnApplicationBootstrap {
  constructor(private readonly discovery: DiscoveryService) {}

  onApplicationBootstrap(): void {
    const served = this.discovery
      .getControllers()
      .map(({ metatype }) =>
        metatype ? (Reflect.getMetadata(SERVED_TAG, metatype) as string | undefined) : undefined,
      )
      .filter((tag) => tag !== undefined);
    const faults = apis
      .map(({ tag }) => ({ tag, count: served.filter((name) => name === tag).length }))
      .filter(({ count }) => count !== 1)
      .map(({ tag, count }) => `${tag} is served ${count} times`);
    if (faults.length > 0) {
      throw new Error(`every tag of the document needs one controller: ${faults.join(', ')}`);
    }
  }
}
