package xlsx

// readDrawing reads a drawing part.
func (w *worksheet) readDrawing(part string) {}
