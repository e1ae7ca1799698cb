import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import "./pages.css";
import "./board/board.css";

mount(App, { target: document.getElementById("app")! });
