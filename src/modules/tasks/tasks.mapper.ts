import type { TaskEntry as EntryAnswer, Task as TaskAnswer } from '../../../generated/types';
import { nanoToUsd } from '../../core/money/pricing/usd';
import type { Task, TaskEntry } from '../../core/work/tasks/task';

export function toEntry(task: TaskEntry): EntryAnswer {
  return {
    id: task.id,
    task_type: task.taskType as EntryAnswer['task_type'],
    priority: task.priority,
    status: task.status,
    progress: task.progress,
    attempts: task.attempts,
    cost: nanoToUsd(task.costNanoUsd),
    error: task.error,
    request_id: task.requestId,
    created_at: task.createdAt.toISOString(),
    started_at: task.startedAt?.toISOString() ?? null,
    finished_at: task.finishedAt?.toISOString() ?? null,
    expires_at: task.expiresAt?.toISOString() ?? null,
  };
}

export function toTask(task: Task): TaskAnswer {
  return {
    ...toEntry(task),
    parameters: JSON.parse(task.parameters) as TaskAnswer['parameters'],
    result: task.result === null ? null : (JSON.parse(task.result) as TaskAnswer['result']),
  };
}
