import { Button } from "@mantine/core";
import { Component, type ReactNode } from "react";
import classes from "./shell.module.css";

interface Props {
  /** What failed, in words: "Approvals". */
  name: string;
  children: ReactNode;
}

/** Keeps a fault within one screen, so that the rest of the window stays of use. */
export class Boundary extends Component<Props, { error: string | undefined }> {
  override state = { error: undefined as string | undefined };

  static getDerivedStateFromError(thrown: unknown) {
    return { error: thrown instanceof Error ? thrown.message : String(thrown) };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <div className={classes["middle"]} role="status">
        <h2 className={classes["middleTitle"]}>{this.props.name} could not be shown</h2>
        <p>A fault in the window stopped it: {this.state.error}. Calls and servers are not touched by this.</p>
        <Button variant="default" onClick={() => this.setState({ error: undefined })}>
          Try again
        </Button>
      </div>
    );
  }
}
