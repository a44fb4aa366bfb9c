/**
 * A contract that sends on what it is sent, to the address in the first word of its input, and reverts if that fails or
 * if the second word is not zero.
 */
const FORWARDER = [
  '5f5f5f5f', // PUSH0 four times: no output is kept, and no input is given
  '34', // CALLVALUE: all that came
  '5f35', // PUSH0 CALLDATALOAD: the address
  '5a', // GAS: all that is left
  'f1', // CALL, which leaves 1 if the address took it
  '60203515', // PUSH1 32 CALLDATALOAD ISZERO: 1 if it shall succeed
  '16', // AND
  '601457', // PUSH1 20 JUMPI: to the JUMPDEST
  '5f5ffd', // PUSH0 PUSH0 REVERT
  '5b00', // JUMPDEST STOP
].join('');

/** Puts the 22 bytes above (PUSH22) at the end of a word of memory (PUSH0 MSTORE) and returns them from its byte 10. */
export const FORWARDER_CREATION = `0x75${FORWARDER}5f526016600af3`;

/** PUSH0 PUSH0 REVERT: takes nothing from anybody. */
export const REFUSING_CODE = '0x5f5ffd';

/** A word of a contract's input: 32 bytes as 64 hexadecimal digits, without 0x. */
export function word(value: string | number): string {
  return (typeof value === 'string' ? value.slice(2) : value.toString(16)).toLowerCase().padStart(64, '0');
}
