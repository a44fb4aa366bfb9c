import document from '../../generated/openapi.json';

/** The API's version as the document states it. */
export const API_VERSION: string = document.info.version;
