/** The name under which the extractive engine answers. */
export const EMBEDDED_CHAT_MODEL = 'embedded-extractive-1';

const REASON = `I am ${EMBEDDED_CHAT_MODEL}, an extractive engine without an upstream model: I only quote sentences from the messages of the request.`;

export const CANNOT_ANSWER = `I can't answer that from the text that I was given. ${REASON}`;
export const CANNOT_COMPOSE = `I can't write new text. ${REASON}`;

/** Whether an earlier answer was one of ours that says nothing about the subject, and so is no material. */
export function isExtractiveRefusal(text: string): boolean {
  return text === CANNOT_ANSWER || text === CANNOT_COMPOSE;
}
