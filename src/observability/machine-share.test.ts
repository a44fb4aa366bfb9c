import { availableParallelism, totalmem } from 'node:os';
import { allowedCores, allowedMemoryBytes, machineShare } from './machine-load';

describe('allowedCores', () => {
  it.each([
    ['200000 100000', 8, 2],
    ['150000 100000\n', 8, 2],
    ['10000 100000', 8, 1],
    ['1600000 100000', 8, 8],
    ['max 100000\n', 8, 8],
    ['', 8, 8],
    ['0 0', 8, 8],
    [null, 8, 8],
  ])('of a quota of %j and %d cores are %d', (quota, present, allowed) => {
    expect(allowedCores(quota, present)).toBe(allowed);
  });
});

describe('allowedMemoryBytes', () => {
  it.each([
    [0, 1000, 1000],
    [18_446_744_073_709_552_000, 1000, 1000],
    [600, 1000, 600],
  ])('of a limit of %d and %d bytes are %d', (limit, present, allowed) => {
    expect(allowedMemoryBytes(limit, present)).toBe(allowed);
  });
});

it('never shows more than the machine has, nor less than the process uses', () => {
  const share = machineShare();
  expect(share.cores).toBeLessThanOrEqual(availableParallelism());
  expect(share.memoryBytes).toBeLessThanOrEqual(totalmem());
  expect(share.freeMemoryBytes).toBeLessThanOrEqual(share.memoryBytes);
  expect(share.heapUsedBytes).toBeLessThanOrEqual(share.processMemoryBytes);
  expect(share.cores).toBeGreaterThanOrEqual(1);
});
