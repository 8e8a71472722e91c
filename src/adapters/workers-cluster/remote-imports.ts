import type { ImportService } from '#application/ports/import-service.js';
import { DomainError, type DomainErrorCode, isDomainError } from '#domain/domain-error.js';

/** A call of a method of `ImportService` in the main process. */
export interface ImportCall {
  readonly method: keyof ImportService;
  readonly parameters: readonly unknown[];
}

/** The answer to an `ImportCall`: a result, or a refusal with its code, because a channel passes on only the text of an error. */
type ImportAnswer =
  | { readonly result: unknown }
  | { readonly code: DomainErrorCode; readonly message: string };

/** Performs the call of another process. Only refusals become answers; any other error is thrown. */
export async function performImportCall(
  service: ImportService,
  { method, parameters }: ImportCall,
): Promise<ImportAnswer> {
  try {
    const call = service[method] as (...given: unknown[]) => Promise<unknown>;
    return { result: await call.apply(service, [...parameters]) };
  } catch (error) {
    if (isDomainError(error)) return { code: error.code, message: error.message };
    throw error;
  }
}

/** The imports of the main process, as a worker process uses them. @param request sends a call to the main process */
export function remoteImports(request: (call: ImportCall) => Promise<unknown>): ImportService {
  const perform =
    <M extends keyof ImportService>(method: M) =>
    async (...parameters: Parameters<ImportService[M]>): Promise<Awaited<ReturnType<ImportService[M]>>> => {
      const answer = (await request({ method, parameters })) as ImportAnswer;
      if ('code' in answer) throw new DomainError(answer.code, answer.message);
      return answer.result as Awaited<ReturnType<ImportService[M]>>;
    };
  return {
    begin: perform('begin'),
    received: perform('received'),
    abandon: perform('abandon'),
    list: perform('list'),
    find: perform('find'),
    answer: perform('answer'),
    undo: perform('undo'),
    discard: perform('discard'),
  };
}
