import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api";
import { keys } from "@/lib/query";

/** Where the keys of model providers come from. The keys themselves never reach this window. */
export function ModelKeys() {
  const { data, error } = useQuery({
    queryKey: keys.apiKeys(),
    queryFn: api.listKeys,
    // The keyring may have got one since.
    staleTime: 0,
  });
  return (
    <>
      {error && <p className="text-error">They could not be listed: {error.message}</p>}
      {data && data.length > 0 && (
        <dl className="mb-2 grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1">
          {data.map(({ provider, from }) => (
            <div key={provider} className="contents">
              <dt>{provider}</dt>
              <dd className="text-text-2">
                {from === "keyring" ? (
                  "keyring of the system"
                ) : (
                  <>
                    environment: <span className="selectable font-mono">{from}</span>
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {data?.length === 0 && <p className="mb-2">No provider has a key.</p>}
      <p className="text-text-2">
        A key comes from an environment variable such as{" "}
        <code className="selectable font-mono">ANTHROPIC_API_KEY</code>, or from the keyring of your
        system. To keep one there, run{" "}
        <code className="selectable font-mono">coppice config key set PROVIDER</code> in a terminal:
        it counts at once, a variable when Coppice starts the next time. Keys are never written to
        the library, an export or a log.
      </p>
    </>
  );
}
