import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";

/** A list that is read page by page: what was read so far, and `more` while there is more. */
export function usePages<Page extends { next_offset: number | null }>(key: unknown[], read: (offset: number) => Promise<Page>) {
  const asked = useInfiniteQuery({
    queryKey: [...key, "pages"],
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: 0,
    getNextPageParam: (last: Page) => last.next_offset,
    placeholderData: keepPreviousData,
  });
  return {
    first: asked.data?.pages[0],
    pages: asked.data?.pages ?? [],
    more: asked.hasNextPage ? () => void asked.fetchNextPage() : undefined,
    reading: asked.isFetchingNextPage,
  };
}
