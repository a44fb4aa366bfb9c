import type { ServerResponse } from 'node:http';

/** Whether nobody can read the answer any more. */
export function isCallerGone(answer: ServerResponse): boolean {
  return answer.destroyed || answer.req.socket.destroyed;
}

/**
 * Calls `gone` once when the connection of an answer closes before the watch ends. Node does not tell an answer that
 * still waits for an earlier one on the same connection, so the connection itself is watched too. Returns what ends the
 * watch.
 */
export function onCallerGone(answer: ServerResponse, gone: () => void): () => void {
  const { socket } = answer.req;
  const stop = () => {
    answer.off('close', leave);
    socket.off('close', leave);
  };
  const leave = () => {
    stop();
    gone();
  };
  answer.on('close', leave);
  socket.on('close', leave);
  return stop;
}
