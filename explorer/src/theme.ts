/** Dark or light: as the system says, until somebody switches. */

const KEPT = "lcg-theme";

export class Theme {
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private chosen: string | null = kept();

  constructor(private readonly changed: () => void) {
    this.show();
    this.system.addEventListener("change", () => {
      if (this.chosen === null) this.show();
    });
  }

  get dark(): boolean {
    return this.chosen === null ? this.system.matches : this.chosen === "dark";
  }

  toggle(): void {
    this.chosen = this.dark ? "light" : "dark";
    try {
      localStorage.setItem(KEPT, this.chosen);
    } catch {
      // A page without storage forgets it; that is all.
    }
    this.show();
  }

  private show(): void {
    document.documentElement.dataset["theme"] = this.dark ? "dark" : "light";
    this.changed();
  }
}

function kept(): string | null {
  try {
    const found = localStorage.getItem(KEPT);
    return found === "dark" || found === "light" ? found : null;
  } catch {
    return null;
  }
}
