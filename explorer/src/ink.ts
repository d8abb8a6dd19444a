/** The colours and letters of the drawing, for a light and for a dark ground; style.css has those of everything else. */

export interface Ink {
  ground: string;
  card: string;
  text: string;
  line: string;
  lineFaint: string;
  accent: string;
  border: string;
}

export const LIGHT: Ink = {
  ground: "#faf9f6",
  card: "#ffffff",
  text: "#1c1f26",
  line: "#b4b9c4",
  lineFaint: "#efeeeb",
  accent: "#2f6fd6",
  border: "#d9d7d0",
};

export const DARK: Ink = {
  ground: "#14161a",
  card: "#20242b",
  text: "#eceef2",
  line: "#505867",
  lineFaint: "#1d2026",
  accent: "#8db9ff",
  border: "#3a404b",
};

export const FONT = 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
