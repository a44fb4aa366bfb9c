import { ValidationFailed } from '../../core/errors/request-errors';
import { validateDto } from '../../contract/validate-dto';

/** A message as its generated class. @throws ValidationFailed naming every fault */
export function readMessage<Message extends object>(type: new () => Message, message: unknown): Message {
  const faults = validateDto(type, message);
  if (faults.length > 0) {
    throw new ValidationFailed(faults);
  }
  return message as Message;
}
