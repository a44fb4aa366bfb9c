/** A schema that the class-validator classes cannot express; the message says what is wrong with it. */
export class NoCounterpart extends Error {}
