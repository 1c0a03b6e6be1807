// Lets every request in: what src/gateway/http/overload.ts gives, without its bounds.

export function createAdmission() {
  let inFlight = 0
  return {
    enter: () => {
      inFlight++
      return true
    },
    leave: () => {
      inFlight--
    },
    inFlight: () => inFlight,
    elsewhere: <Value>(wait: () => Promise<Value>) => wait(),
  }
}
