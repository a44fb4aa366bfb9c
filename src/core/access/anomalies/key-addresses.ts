import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { EventSubscriptions } from '../../events/outbox/event-subscriptions';
import { Outbox } from '../../events/outbox/outbox';
import { UnawaitedWrites } from '../../events/outbox/unawaited-writes';
import type { KeyPrincipal } from '../access-keys/key-principal';
import { addressBlock } from '../rate-limits/address-block';
import { ANOMALY, anomalyDetected, HOUR_MS, hourOf } from './anomaly';
import { Sightings } from './sightings.repository';

/** More addresses than these of one key in one hour are unusual. */
export const USUAL_ADDRESSES_MAX = 10;
const KEYS_MAX = 10_000;

/** The addresses from which this process has seen a key in an hour; no more of them than it takes to be unusual. */
interface SeenAddresses {
  readonly hour: Date;
  readonly endMs: number;
  readonly fingerprints: Set<string>;
  latest: string | null;
}

/**
 * Tells the subscribers of an account when one of its keys is used from more than ten addresses in an hour. Only the
 * first call from an address costs more than a look into this process's memory. Replicas count together, in Postgres.
 */
@Injectable()
export class KeyAddresses {
  private readonly ofKeys = new LRUCache<string, SeenAddresses>({ max: KEYS_MAX });

  constructor(
    private readonly subscriptions: EventSubscriptions,
    private readonly writes: UnawaitedWrites,
    private readonly sightings: Sightings,
    private readonly outbox: Outbox,
    private readonly database: DataSource,
  ) {}

  /** Notes a call with a valid key. Returns at once and never throws. */
  note(key: KeyPrincipal, address: string, at: Date): void {
    if (this.subscriptions.cached(key.accountId, ANOMALY, at.getTime()) === false) {
      return;
    }
    const seen = this.seenOf(key.id, at);
    const { hour, fingerprints } = seen;
    if (fingerprints.size > USUAL_ADDRESSES_MAX || seen.latest === address) {
      return;
    }
    const fingerprint = fingerprintOf(key.id, address);
    if (fingerprints.has(fingerprint)) {
      return;
    }
    fingerprints.add(fingerprint);
    // Most calls come from the address of the one before. A copy, because the text may be a part of a long header.
    seen.latest = Buffer.from(address).toString();
    this.writes.begin({
      accountId: key.accountId,
      type: ANOMALY,
      write: () => this.write(key, fingerprint, { hour, detectedAt: at }),
      undone: () => {
        fingerprints.delete(fingerprint);
        seen.latest = null;
      },
    });
  }

  /** A call that began before the hour and was let in after it counts with those of the new one. */
  private seenOf(keyId: string, at: Date): SeenAddresses {
    let seen = this.ofKeys.get(keyId);
    if (!seen || at.getTime() >= seen.endMs) {
      const hour = hourOf(at);
      seen = { hour, endMs: hour.getTime() + HOUR_MS, fingerprints: new Set(), latest: null };
      this.ofKeys.set(keyId, seen);
    }
    return seen;
  }

  private async write(
    key: KeyPrincipal,
    address: string,
    { hour, detectedAt }: { hour: Date; detectedAt: Date },
  ): Promise<void> {
    await this.database.transaction(async (manager) => {
      const sighting = { keyId: key.id, hour, address, countMax: USUAL_ADDRESSES_MAX + 1 };
      const count = await this.sightings.addAddress(manager, sighting);
      if (count > USUAL_ADDRESSES_MAX) {
        const anomaly = { kind: 'many_addresses', key, count, hour, detectedAt } as const;
        await this.outbox.write(manager, anomalyDetected(anomaly));
      }
    });
  }
}

/** Short, however long the text is that a proxy gives for an address; and nobody's address is stored. */
function fingerprintOf(keyId: string, address: string): string {
  return hash('sha256', `${keyId} ${addressBlock(address)}`, 'base64url');
}
