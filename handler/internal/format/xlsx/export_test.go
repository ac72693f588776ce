package xlsx

// ParseFrom lets tests hand small sheets on window by window.
var ParseFrom = parseFrom
