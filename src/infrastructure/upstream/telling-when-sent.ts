import type { Dispatcher } from 'undici';

/**
 * Has undici call a function when it has a connection for a request and writes it there: headers and text of the body go
 * out in that same turn. A request that waits for a connection, or gets none, is not sent.
 */
export function tellingWhenSent(onSent: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      start?.(controller, context);
      if (!controller.aborted) {
        onSent();
      }
    };
    return dispatch(options, handler);
  };
}
