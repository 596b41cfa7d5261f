export { BackButton } from "./BackButton";
export { Empty, Failure, Loading } from "./Empty";
export { Section } from "./Section";
export { Split, useRoomForBoth } from "./Split";
export { Tone, type ToneName } from "./Tone";
export { useNow, When } from "./When";
