import { useQuery } from "@tanstack/react-query";
import { CopyButton } from "@/components/form/copy-button";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

const command = "coppice config key set anthropic";

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
      {error && <p className="text-error">Could not list the keys: {error.message}</p>}
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
      {data?.length === 0 && <p className="mb-2">No keys yet.</p>}
      <p className="text-text-2">
        To store a key in the keyring of your system, run this command in a terminal with the name
        of the provider:
      </p>
      <p className="my-2 flex items-center gap-3">
        <code className="selectable min-w-0 flex-1 rounded bg-sunken px-3 py-1 font-mono [overflow-wrap:anywhere]">
          {command}
        </code>
        <CopyButton text={command} />
      </p>
      <p className="text-text-2">
        It asks for the key, which takes effect immediately. Without a keyring set a variable such
        as <code className="selectable font-mono">ANTHROPIC_API_KEY</code> where Coppice is started:
        it takes effect at the next start. Keys are never written to the library, an export or a
        log.
      </p>
    </>
  );
}
