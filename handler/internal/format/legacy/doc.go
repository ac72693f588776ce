// Package legacy knows formats that decant does not read itself: the binary files of Office before 2007, WordPerfect, Works, iWork,
// StarOffice. It tells them apart by content and sees what is protected by a password; an outside converter reads them
// (docs/outside-converters.md). Where there is none, the fault says what to install.
package legacy
