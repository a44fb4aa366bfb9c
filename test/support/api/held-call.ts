import { MemoriesRepository } from '../../../src/retrieval/memories.repository';
import type { TestService } from './service';

export interface HeldCall {
  /** Resolves when the handler has begun its work. */
  entered: Promise<void>;
  /** Lets the handler end it, or fail with what is given. */
  letGo(failure?: Error): void;
}

/** Makes the work of the next createMemory wait, after its reservation and before it stored anything. */
export function holdNextMemory(service: TestService): HeldCall {
  const memories = service.app.get(MemoriesRepository);
  const upsert = memories.upsert.bind(memories);
  let enter: () => void;
  let letGo: (failure?: Error) => void;
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const gate = new Promise<Error | undefined>((resolve) => (letGo = resolve));
  jest.spyOn(memories, 'upsert').mockImplementationOnce(async (...fields) => {
    enter();
    const failure = await gate;
    if (failure) {
      throw failure;
    }
    return upsert(...fields);
  });
  return { entered, letGo: (failure) => letGo(failure) };
}
