import { createHash } from 'node:crypto';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { InvalidKey } from './payment-chain';

/** SLIP-0132. Script types that no address is derived for are absent. */
const NETWORKS: Record<number, 'main' | 'test'> = {
  0x0488b21e: 'main', // xpub
  0x04b24746: 'main', // zpub
  0x043587cf: 'test', // tpub
  0x045f1cf6: 'test', // vpub
};
/** xprv, zprv, tprv, vprv, yprv, uprv. */
const PRIVATE_VERSIONS = [0x0488ade4, 0x04b2430c, 0x04358394, 0x045f18bc, 0x049d7878, 0x044a4e28];
const STANDARD = {
  main: { private: 0x0488ade4, public: 0x0488b21e },
  test: { private: 0x04358394, public: 0x043587cf },
};
const EXTENDED_KEY_BYTES = 78;
const DEPTH_AT = 4;

const base58check = createBase58check(sha256);

export class ExtendedKey {
  private constructor(
    readonly network: 'main' | 'test',
    readonly standardText: string,
    readonly id: string,
    private readonly receiving: HDKey,
  ) {}

  static parse(text: string): ExtendedKey {
    const bytes = decoded(text);
    const version = bytes.readUInt32BE(0);
    if (PRIVATE_VERSIONS.includes(version)) {
      throw new InvalidKey(
        'is a private key: never give it to a server; export the public one (xpub, zpub, tpub or vpub)',
      );
    }
    const network = NETWORKS[version];
    if (network === undefined) {
      throw new InvalidKey('is not an xpub, zpub, tpub or vpub');
    }
    if (bytes[DEPTH_AT] === 0) {
      throw new InvalidKey("is a master key: export the public key of an account, such as m/84'/0'/0'");
    }
    const versions = STANDARD[network];
    bytes.writeUInt32BE(versions.public, 0);
    const standardText = base58check.encode(bytes);
    try {
      const receiving = HDKey.fromExtendedKey(standardText, versions).deriveChild(0);
      const id = createHash('sha256').update(standardText).digest('hex').slice(0, 16);
      return new ExtendedKey(network, standardText, id, receiving);
    } catch {
      throw new InvalidKey('is not a valid extended public key');
    }
  }

  publicKeyAt(index: number): Uint8Array {
    const { publicKey } = this.receiving.deriveChild(index);
    if (publicKey === null) {
      throw new Error(`no public key at index ${index}`);
    }
    return publicKey;
  }
}

/** A mnemonic or a raw private key is no base58check of 78 bytes. */
function decoded(text: string): Buffer {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    throw new InvalidKey(
      'is not an extended public key, or has a typing error: its checksum does not hold. Seed words have no place here',
    );
  }
  if (bytes.length !== EXTENDED_KEY_BYTES) {
    throw new InvalidKey('is not an extended public key: it has another length');
  }
  return Buffer.from(bytes);
}
