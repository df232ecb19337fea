// What a run does only after the user has agreed to it.

import { type ApiError, api, type Confirmation, type RunRequest } from "./api";

/** What the user has to agree to, for a request that was refused for it; empty for any other failure. */
export async function askedBy(error: ApiError, request: RunRequest): Promise<Confirmation[]> {
  if (error.code !== "unconfirmed") return [];
  try {
    return await api.listConfirmations(request);
  } catch {
    return []; // The failure itself is shown.
  }
}

/** The request, after the user has agreed. */
export function agreed(request: RunRequest, asked: readonly Confirmation[]): RunRequest {
  return { ...request, confirmed: [...request.confirmed, ...asked.map(({ token }) => token)] };
}
