import { ActionIcon } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useRoomForBoth } from "./Split";

/** The way back from a detail to its list, where the detail stands over it. */
export function BackButton({ onBack }: { onBack: () => void }) {
  if (useRoomForBoth()) return null;
  return (
    <ActionIcon variant="subtle" color="gray" aria-label="Back to the list" onClick={onBack}>
      <IconArrowLeft size={18} aria-hidden />
    </ActionIcon>
  );
}
