/** Stands in every answer on a legal text. */
export const DISCLAIMER = 'This answer was found automatically and is not legal advice.';
