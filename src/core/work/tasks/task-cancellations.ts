import { Injectable } from '@nestjs/common';

/** Tells the runs of this process that their tasks are to be cancelled. */
@Injectable()
export class TaskCancellations {
  private readonly runs = new Map<string, () => void>();

  /** Calls `cancel` when the task is to be cancelled. Returns a function that ends the watch. */
  watch(taskId: string, cancel: () => void): () => void {
    this.runs.set(taskId, cancel);
    return () => {
      if (this.runs.get(taskId) === cancel) {
        this.runs.delete(taskId);
      }
    };
  }

  /** Does nothing for a task that does not run here. */
  tell(taskId: string): void {
    this.runs.get(taskId)?.();
  }
}
