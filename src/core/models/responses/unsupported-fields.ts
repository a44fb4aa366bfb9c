import { UnsupportedModelParameter } from '../model-errors';
import type { ValidationDetail } from '../../errors/request-errors';

const REASON = 'The model that answers knows chats only, and they have no counterpart for this.';

/** Gathers the fields of a request that a chat cannot honour, so that one error names them all. */
export class UnsupportedFields {
  private readonly refused: ValidationDetail[] = [];

  add(field: string, message = REASON): void {
    this.refused.push({ field, message });
  }

  /** @throws UnsupportedModelParameter when a field was added */
  throwAny(): void {
    if (this.refused.length > 0) {
      throw new UnsupportedModelParameter(this.refused);
    }
  }
}
