/** Of one frame that a client sends; a larger one closes the socket with 1009. */
export const FRAME_BYTES_MAX = 64 * 1024;
/**
 * Fragments of one message; one more closes the socket with 1008. Each keeps all that the system read with it in memory,
 * up to 64 KiB, however short it is itself. Clients that cut messages after 4 KiB need 16 for the largest.
 */
export const FRAGMENTS_MAX = 16;
/**
 * Pieces in which a frame may come from the system before it is complete; one more closes the socket with 1008. Each is an
 * object of its own. A frame of 64 KiB comes in about 50 packets.
 */
export const PIECES_OF_FRAME_MAX = 1024;
/** Open sockets of one account on one replica. */
export const SOCKETS_PER_ACCOUNT_MAX = 100;
/** Messages of one socket, on average over time. */
export const MESSAGES_PER_SECOND_MAX = 20;
/** Messages of one socket that may come at once, after a time of silence. */
export const MESSAGES_AT_ONCE_MAX = 40;
/** Messages of all sockets of one account on one replica, on average over time. */
export const ACCOUNT_MESSAGES_PER_SECOND_MAX = 200;
/** Messages of all sockets of one account on one replica that may come at once, after a time of silence. */
export const ACCOUNT_MESSAGES_AT_ONCE_MAX = 400;
/** Bytes of the messages of one socket, on average over time: four of the largest a second. */
export const BYTES_PER_SECOND_MAX = 256 * 1024;
/** The same at once, after a time of silence: twice the largest for each call that a socket may have under way. */
export const BYTES_AT_ONCE_MAX = 1024 * 1024;
/** Bytes of the messages of all sockets of one account on one replica, on average over time. */
export const ACCOUNT_BYTES_PER_SECOND_MAX = 2 * 1024 * 1024;
/** The same at once, after a time of silence. */
export const ACCOUNT_BYTES_AT_ONCE_MAX = 8 * 1024 * 1024;
/** Messages of one socket that may be refused for a rate before it is closed; who keeps the rates makes it forgotten. */
export const REFUSED_MESSAGES_MAX = 100;
/** Bytes of such messages: each has to be received, however soon it is refused. */
export const REFUSED_BYTES_MAX = 1024 * 1024;
/** Pings and pongs of one socket, on average over time. Nobody needs more than one of each in some seconds. */
export const CONTROL_FRAMES_PER_SECOND_MAX = 20;
/** Pings and pongs of one socket that may come at once, after a time of silence; one more closes it with 4429. */
export const CONTROL_FRAMES_AT_ONCE_MAX = 40;
/** Frames that may still come once a socket is closed, because they were on their way; beyond it it is not read. */
export const LATE_FRAMES_MAX = 100;
/** Messages of one socket that wait for the one before; beyond it the socket is not read. */
export const WAITING_MESSAGES_MAX = 16;
/** Bytes of such messages: two of the largest, so that one can be read while the other is worked on. */
export const WAITING_BYTES_MAX = 128 * 1024;
/** A frame up to this size is parsed in a fraction of a millisecond, whatever it says, and so waits for no larger one. */
export const SMALL_FRAME_BYTES_MAX = 4 * 1024;
/** Bytes of frames after which the event loop turns before more of them are parsed. */
export const TURN_BYTES_MAX = 32 * 1024;
/** What a frame counts at least: to handle it costs something, however short it is. */
export const TURN_BYTES_OF_FRAME_MIN = 1024;
/** How long a frame waits to be parsed before it is refused with 503. */
export const FRAME_WAIT_MS_MAX = 5_000;
/** Names of members in one frame. Each new one costs the parser a microsecond; a frame could have 13,000. */
export const FRAME_NAMES_MAX = 4_000;
/** Bytes that a client has not read beyond which nothing more is said to it: the socket is closed with 1013. */
export const UNSENT_BYTES_MAX = 2 * 1024 * 1024;
/** The same while all that the client's account, or everybody, has not read exceeds its bound (unsent-bytes.ts). */
export const UNSENT_BYTES_WHEN_FULL_MAX = 64 * 1024;
/** Bytes that a client has not read beyond which streamed answers wait for it, and messages whose answers may be large. */
export const STREAM_WAITS_FROM_BYTES = 64 * 1024;
/** Who has not answered a ping before the next is dead. */
export const PING_EVERY_MS = 30_000;
/** How long a client has to answer a close before its connection is ended. */
export const CLOSE_WITHIN_MS = 2_000;

/** Why the service closes sockets (RFC 6455, section 7.4; from 4000 on our own). */
export const CLOSE_CODES = {
  /** The service shuts down. */
  goingAway: 1001,
  /** A frame that is no text. */
  unsupported: 1003,
  /** This replica was taken for dead, or lags so far behind that it cannot tell all; the client has to join again. */
  restart: 1012,
  /** Too much was sent that the client did not read. */
  slowReader: 1013,
  /** The credential is revoked, ended or expired. */
  credentialEnded: 4401,
  /** Too many messages, or pings and pongs. */
  tooManyMessages: 4429,
} as const;

export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];
