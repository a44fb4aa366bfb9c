import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { EthereumNode } from '../../support/chains/ethereum-node';
import { EthereumWatch } from '../../support/chains/ethereum-watch';
import { signedTransfer } from '../../support/chains/signed-ether';

const ETHER = 10n ** 18n;
const GAS_PRICE = 10n ** 10n;
const FEE = 21_000n * GAS_PRICE;

describe('Ethereum addresses that the owner of the key spends from', () => {
  let node: EthereumNode;
  let watch: EthereumWatch;
  const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'");

  beforeAll(async () => {
    node = await EthereumNode.start({ noMining: true });
    await node.mine(150);
    watch = new EthereumWatch(node.rpcUrl, 'test', account.publicExtendedKey);
  });
  afterAll(async () => {
    await watch.chain.close();
    await node.stop();
  });

  /** The owner's wallet signs with the private key of the newest payment's address. */
  async function sweep(wei: bigint, nonce = 0): Promise<void> {
    const { privateKey } = account.deriveChild(0).deriveChild(watch.payments.length - 1);
    const transfer = { chainId: 31_337, nonce, gasPrice: GAS_PRICE, to: node.accounts[1] ?? '', wei };
    await node.rpc('eth_sendRawTransaction', [signedTransfer(transfer, privateKey ?? new Uint8Array())]);
    await node.mine();
  }

  it('keep what was received, at its true confirmations, until it is final', async () => {
    const address = watch.pay();
    await node.send(address, ETHER);
    await node.mine(4);
    const [before] = await watch.at(address);
    await sweep(ETHER - FEE);
    expect(await node.balance(address)).toBe(0n);
    expect(await watch.at(address)).toEqual([{ ...before, confirmations: 5 }]);
    await node.mine(59);
    expect(await watch.at(address)).toEqual([{ ...before, confirmations: 64 }]);
    await node.mine(36);
    const final = [{ ...before, confirmations: 100, isFinal: true }];
    expect(await watch.at(address)).toEqual(final);
    await node.mine(200);
    expect(await watch.at(address)).toEqual(final);
    expect(watch.reviewOf(address)).toBeUndefined();
    expect(watch.last?.requests).toBeLessThanOrEqual(6);
    expect(await watch.at(address)).toEqual(final);
    expect(watch.last?.requests).toBe(2);
  });

  it('are credited for what was swept before any look saw it', async () => {
    const address = watch.pay();
    await node.send(address, ETHER);
    await node.mine();
    await sweep(ETHER - FEE);
    expect(await watch.at(address)).toMatchObject([
      { id: `${address}:0-${ETHER}`, state: 'included', confirmations: 2 },
    ]);
    expect(watch.reviewOf(address)).toBeUndefined();
  });

  it('ask for a person when something arrives afterwards', async () => {
    const address = watch.pay();
    await node.send(address, ETHER);
    await node.mine(2);
    await watch.look();
    await sweep(ETHER / 2n);
    expect(await watch.at(address)).toMatchObject([
      { amountBase: ETHER, state: 'included', confirmations: 3 },
    ]);
    expect(watch.reviewOf(address)).toBeUndefined();
    await node.send(address, 7n);
    await node.mine();
    expect(await watch.at(address)).toMatchObject([
      { amountBase: ETHER, state: 'included', confirmations: 4 },
    ]);
    expect(watch.reviewOf(address)).toMatch('after it was spent from');
  });

  it('ask for a person when the balance proves nothing any more', async () => {
    const address = watch.pay();
    await node.send(address, ETHER);
    await node.mine();
    const before = await watch.at(address);
    await sweep(ETHER - FEE);
    await node.mine(150);
    expect(await watch.at(address)).toEqual(before);
    expect(watch.reviewOf(address)).toMatch('before the payment was confirmed');
  });

  it('ask for a person when they were emptied in the night', async () => {
    const address = watch.pay();
    await node.send(address, ETHER);
    await node.mine();
    await sweep(ETHER - FEE);
    await node.mine(150);
    expect(await watch.at(address)).toEqual([]);
    expect(watch.reviewOf(address)).toMatch('nothing was seen to arrive');
  });
});
